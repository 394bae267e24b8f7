// The error of a start on a disk that takes no bytes, the same for each step that can fail.
import { type DiskFailureCode, diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'

/** The emulator cannot open because the disk takes no bytes. */
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

/** Converts the error that ended a start. One that explains a directory's permissions stays as it is. */
export function startError(error: unknown, dataDir: string | undefined): unknown {
  const failure = diskFailureOf(error)
  if (failure === undefined) return error
  if (failure.code === 'disk_failed' && error instanceof EmulatorError) return error
  return new StartError(failure.code, dataDir, error)
}
