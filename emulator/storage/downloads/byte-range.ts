// Parses the header Range of a download. Only a single range is accepted, as in upstream (RFC 9110 §14.1.2;
// docs/wire/storage.md#download).
import type { ByteSpan } from '../blobs/blob-store.ts'
import { StorageError } from '../errors.ts'

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * Returns the requested span, shortened to the object's end. Returns `undefined` when the request has no Range header. @throws
 * {StorageError} `invalidRange`
 */
export function parseRange(header: string | null, sizeBytes: number): ByteSpan | undefined {
  if (header === null) return undefined
  const [, from, to] = SINGLE_RANGE.exec(header.trim()) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) throw invalid(sizeBytes)
  if (from === '') {
    const count = Number(to)
    if (count === 0 || sizeBytes === 0) throw invalid(sizeBytes)
    return { first: Math.max(sizeBytes - count, 0), last: sizeBytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (first >= sizeBytes || last < first) throw invalid(sizeBytes)
  return { first, last }
}

function invalid(sizeBytes: number): StorageError {
  return new StorageError('invalidRange', 'invalid range provided', {
    headers: { 'content-range': `bytes */${sizeBytes}` },
  })
}
