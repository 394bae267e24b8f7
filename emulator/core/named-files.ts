// Reads and writes files that a user named. Errors say in a sentence why the operating system refused.
import { EmulatorError } from './errors.ts'

/** Thrown when a file that the user named cannot be written. */
export class UnwritableFile extends EmulatorError {
  override readonly code = 'unwritable_file'
}

/** Calls `write`. @throws {UnwritableFile} when the operating system refuses the file */
export function writingTo<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    const reason = REASONS_OF_WRITING[codeOf(cause)]
    if (reason === undefined) throw cause
    throw new UnwritableFile(`${path} cannot be written: ${reason}.`, {
      hint: 'Name a file in a folder that exists and that you may write.',
      cause,
    })
  }
}

/** Says why a file could not be read. */
export function whyUnreadable(path: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT') return `There is no file ${path}.`
  const message = error instanceof Error ? error.message : String(error)
  return `${path} cannot be read: ${REASONS[code] ?? message}.`
}

// Reasons by the POSIX name of the error. Node uses these names on every system.
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission',
  EIO: 'the disk fails',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'you have no permission',
}
const REASONS_OF_WRITING: Readonly<Record<string, string>> = {
  ...REASONS,
  EDQUOT: 'the disk is full',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
