// Errors of files that a command itself reads or writes, outside the data directory. Pure.
import { EmulatorError } from '../core/errors.ts'

/** The system refuses a file or folder that a command needs. */
export class FileRefusal extends EmulatorError {
  override readonly code = 'file_refused'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Your account may not use it',
  EPERM: 'Your account may not use it',
  EROFS: 'Its disk can only be read',
  ENOSPC: 'Its disk is full',
}

/** Returns the error for the user when the system refused a path; else `undefined`. */
export function fileRefusalOf(error: unknown): FileRefusal | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const reason = REASONS[String(error.code)]
  if (reason === undefined) return undefined
  return new FileRefusal(`${error.path} cannot be used: ${error.message}. ${reason}.`, {
    hint: 'Choose another place, or change its permissions.',
    cause: error,
  })
}
