// Conditions of S3 requests (RFC 9110 §13.1): of a read on the object, of a copy on its source, of a write on what it would
// replace. Pure.
import { type EpochMillis, parseHttpDate, toEpochSeconds } from '../../../core/time.ts'
import { refuse } from '../../errors.ts'
import type { CurrentGuard, StoredObject } from '../../objects/object-store.ts'
import { S3Error } from '../s3-error.ts'

/** `unchanged`: a cache of the caller holds this content already. */
export type Verdict = 'met' | 'unchanged' | 'failed'

type Judged = Pick<StoredObject, 'etag' | 'updatedAt'>

const SOURCE_PREFIX = 'x-amz-copy-source-'

/**
 * Judges the object by `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since`, in the order of RFC 9110
 * §13.2.2.
 */
export function judge(headers: Headers, stored: Judged, prefix = ''): Verdict {
  const match = headers.get(`${prefix}if-match`)
  const unmodifiedSince = instantOf(headers.get(`${prefix}if-unmodified-since`))
  if (match !== null) {
    if (!names(match, stored)) return 'failed'
  } else if (unmodifiedSince !== undefined && isNewer(stored, unmodifiedSince)) return 'failed'
  const noneMatch = headers.get(`${prefix}if-none-match`)
  if (noneMatch !== null) return names(noneMatch, stored) ? 'unchanged' : 'met'
  const modifiedSince = instantOf(headers.get(`${prefix}if-modified-since`))
  return modifiedSince !== undefined && !isNewer(stored, modifiedSince) ? 'unchanged' : 'met'
}

/** Refuses a copy whose `x-amz-copy-source-if-*` its source does not meet. @throws {S3Error} `PreconditionFailed` */
export function requireSource(headers: Headers, source: Judged): void {
  if (judge(headers, source, SOURCE_PREFIX) !== 'met') throw preconditionFailed()
}

/** The conditions of a write. The guard throws `PreconditionFailed`, and `objectNotFound` for `If-Match` without an object. */
export function writeGuard(headers: Headers): CurrentGuard {
  return (current) => {
    if (current === undefined) {
      if (headers.has('if-match')) throw refuse.objectNotFound()
    } else if (judge(headers, current) !== 'met') throw preconditionFailed()
  }
}

/** Refuses every content without this ETag. */
export function etagGuard(etag: string): CurrentGuard {
  return writeGuard(new Headers({ 'if-match': etag }))
}

export function preconditionFailed(): S3Error {
  return new S3Error(
    'PreconditionFailed',
    'At least one of the preconditions you specified did not hold.',
  )
}

// Clients leave out the quotes, which S3 allows.
function names(list: string, { etag }: Judged): boolean {
  return list.split(',').some((entry) => {
    const text = entry.trim()
    return text === '*' || text.replace(/^W\//, '').replace(/^"(.*)"$/, '$1') === etag
  })
}

function isNewer({ updatedAt }: Judged, instant: EpochMillis): boolean {
  return toEpochSeconds(updatedAt) > toEpochSeconds(instant)
}

function instantOf(header: string | null): EpochMillis | undefined {
  return header === null ? undefined : parseHttpDate(header)
}
