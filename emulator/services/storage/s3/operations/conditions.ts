// Checks the conditions of S3 requests (RFC 9110 §13.1). A read checks the object, a copy checks its source, and a write checks
// the object that it would replace.
import { type EpochMillis, parseHttpDate, toEpochSeconds } from '../../../../core/time.ts'
import { refuse } from '../../errors.ts'
import type { CurrentGuard, StoredObject } from '../../objects/object-store.ts'
import { S3Error } from '../s3-error.ts'

/** `unchanged` means that the client's cache already has this content. */
export type Verdict = 'met' | 'unchanged' | 'failed'

type Judged = Pick<StoredObject, 'etag' | 'updatedAt'>

const SOURCE_PREFIX = 'x-amz-copy-source-'

/**
 * Checks `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since` against the object, in the order of RFC
 * 9110 §13.2.2.
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

/** Checks the source of a copy against the `x-amz-copy-source-if-*` headers. @throws {S3Error} `PreconditionFailed` */
export function requireSource(headers: Headers, source: Judged): void {
  if (judge(headers, source, SOURCE_PREFIX) !== 'met') throw preconditionFailed()
}

/**
 * Creates the guard for the conditions of a write. The guard throws `PreconditionFailed`, or `objectNotFound` for `If-Match`
 * when the object does not exist.
 */
export function writeGuard(headers: Headers): CurrentGuard {
  return (current) => {
    if (current === undefined) {
      if (headers.has('if-match')) throw refuse.objectNotFound()
    } else if (judge(headers, current) !== 'met') throw preconditionFailed()
  }
}

/** Creates a guard that throws unless the current object has this ETag. */
export function etagGuard(etag: string): CurrentGuard {
  return writeGuard(new Headers({ 'if-match': etag }))
}

export function preconditionFailed(): S3Error {
  return new S3Error(
    'PreconditionFailed',
    'At least one of the preconditions you specified did not hold.',
  )
}

// ETags are compared without quotes, because S3 clients may omit the quotes.
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
