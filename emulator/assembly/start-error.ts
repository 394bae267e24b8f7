// Converts disk failures during a start into one error, which every step of the start can throw.
import { type DiskFailureCode, diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'

/** Thrown when the emulator cannot open because the disk accepts no more bytes. */
class StartError extends EmulatorError {
  override readonly code: DiskFailureCode

  constructor(code: DiskFailureCode, dataDir: string | undefined, cause: unknown) {
    const place = dataDir ?? 'the temporary directory'
    const what = code === 'disk_full' ? 'is full' : 'cannot be written'
    super(`The emulator cannot start: the disk of ${place} ${what}.`, {
      hint: 'Free space or choose another data directory.',
      cause,
    })
    this.code = code
  }
}

/**
 * Converts an error that ended a start into the error for the user. Errors that explain a directory's permissions are returned
 * unchanged.
 */
export function startError(error: unknown, dataDir: string | undefined): unknown {
  const failure = diskFailureOf(error)
  if (failure === undefined) return error
  if (failure.code === 'disk_failed' && error instanceof EmulatorError) return error
  return new StartError(failure.code, dataDir, error)
}
