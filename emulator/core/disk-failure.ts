// Recognises a full or failing disk by error codes of the operating system, SQLite and Postgres. The edge, background work and
// the start use this file before they report an internal error.
import { EmulatorError } from './errors.ts'

export type DiskFailureCode = 'disk_full' | 'disk_failed'

/** Error for a full or failing disk of the data directory. */
export class DiskFailure extends EmulatorError {
  override readonly code: DiskFailureCode

  constructor(code: DiskFailureCode, reason: string, cause: unknown) {
    super(`${SENTENCE[code]} (${reason}).`, { hint: HINT[code], cause })
    this.code = code
  }
}

const SENTENCE = {
  disk_full: 'The disk of the data directory is full',
  disk_failed: 'The data directory cannot be written',
} as const satisfies Record<DiskFailureCode, string>

const HINT = {
  disk_full: 'Nothing was stored. Free space and repeat the request.',
  disk_failed: 'Nothing was stored. Check the disk and its permissions, then repeat the request.',
} as const satisfies Record<DiskFailureCode, string>

// SQLSTATE 53100 is Postgres's disk_full, 58030 its io_error.
const CODES: Readonly<Record<string, DiskFailureCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  SQLITE_FULL: 'disk_full',
  '53100': 'disk_full',
  EIO: 'disk_failed',
  EROFS: 'disk_failed',
  EFBIG: 'disk_failed',
  EACCES: 'disk_failed',
  EPERM: 'disk_failed',
  SQLITE_CANTOPEN: 'disk_failed',
  '58030': 'disk_failed',
}
/** SQLite's extended codes begin with the primary code, e.g. SQLITE_IOERR_WRITE. */
const SQLITE_FAMILIES = /^SQLITE_(IOERR|READONLY|CANTOPEN)/
/** Maximum number of causes to follow, because a chain of causes can contain a cycle. */
const MAX_CAUSES = 8

/** Returns a DiskFailure if the code of the error or of one of its causes indicates one; else `undefined`. */
export function diskFailureOf(error: unknown): DiskFailure | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if (cause instanceof DiskFailure) return cause
    const found = codeOf(cause)
    if (found !== undefined) return new DiskFailure(found, cause.message, error)
    cause = cause.cause
  }
  return undefined
}

function codeOf(error: Error): DiskFailureCode | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined
  return CODES[error.code] ?? (SQLITE_FAMILIES.test(error.code) ? 'disk_failed' : undefined)
}
