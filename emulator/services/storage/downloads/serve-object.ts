// Builds the response with an object's bytes: headers, ranges, conditions and download names (docs/wire/storage.md#download).
// Every route that serves bytes calls `serveObject`.
import { setBodyWriter } from '../../../core/response-writer.ts'
import { parseHttpDate, toEpochSeconds, toHttpDate } from '../../../core/time.ts'
import type { ByteSpan, OpenBlob } from '../blobs/blob-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { quotedEtag } from '../objects/wire.ts'
import type { StorageCall } from '../storage-call.ts'

export interface ServeOptions {
  /** HTTP date at which a signed URL expires. The response has this header instead of Cache-Control. */
  readonly expires?: string
}

/** Size in bytes up to which objects are read in one call. Larger objects are streamed. */
const SMALL_BYTES = 64 * 1024

interface ServeDeps extends Pick<StorageDeps, 'objects'> {
  readonly blobs: Pick<StorageDeps['blobs'], 'open'>
}

/**
 * Answers GET and HEAD for an object. The caller checks read permission first.
 * @throws {StorageError} `bytesMissing`, `invalidRange`, `objectNotFound`
 */
export function serveObject(
  deps: ServeDeps,
  { request, query }: StorageCall,
  stored: StoredObject,
  options: ServeOptions = {},
): Response {
  const headers = headersOf(stored, request.headers, options)
  const disposition = dispositionOf(query)
  if (disposition !== undefined) headers['content-disposition'] = disposition
  if (isUnchanged(stored, request.headers)) return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD') {
    headers['content-length'] = String(stored.sizeBytes)
    return new Response(null, { headers })
  }
  const blob = openBytes(deps, stored)
  try {
    return answer(blob, rangeOf(stored, request.headers), headers)
  } catch (error) {
    blob.close()
    throw error
  }
}

function answer(
  blob: OpenBlob,
  rangeHeader: string | null,
  headers: Record<string, string>,
): Response {
  const { sizeBytes } = blob
  const range = parseRange(rangeHeader, sizeBytes)
  const span: ByteSpan = range ?? { first: 0, last: sizeBytes - 1 }
  const length = span.last - span.first + 1
  headers['content-length'] = String(length)
  if (range !== undefined)
    headers['content-range'] = `bytes ${span.first}-${span.last}/${sizeBytes}`
  const init = { status: range === undefined ? 200 : 206, headers }
  if (length <= SMALL_BYTES) return new Response(blob.read(span), init)
  const response = new Response(blob.stream(span), init)
  const { writeTo } = blob
  if (writeTo !== undefined) setBodyWriter(response, (outgoing) => writeTo(outgoing, span))
  return response
}

// Opens the new version when another request replaced the object after the look-up.
function openBytes({ objects, blobs }: ServeDeps, stored: StoredObject): OpenBlob {
  const blob = blobs.open(stored.version)
  if (blob !== undefined) return blob
  const current = objects.findObject(stored.bucket, stored.objectKey)
  if (current === undefined) throw refuse.objectNotFound()
  const replacement = current.version === stored.version ? undefined : blobs.open(current.version)
  if (replacement === undefined) throw refuse.bytesMissing()
  return replacement
}

function headersOf(
  stored: StoredObject,
  asked: Headers,
  { expires }: ServeOptions,
): Record<string, string> {
  const stale = asked.has('if-none-match') ? ', stale-while-revalidate=30' : ''
  const cacheControl = headerText(stored.cacheControl) + stale
  return {
    'accept-ranges': 'bytes',
    'content-type': headerText(stored.mimeType),
    etag: quotedEtag(stored),
    'last-modified': toHttpDate(stored.updatedAt),
    'x-robots-tag': headerText(stored.robotsTag ?? 'none'),
    ...(expires === undefined ? { 'cache-control': cacheControl } : { expires }),
  }
}

// Removes characters that a header must not contain, such as line breaks. Values from forms and JSON bodies may contain them.
function headerText(text: string): string {
  return text.replace(/[^ -~]+/g, '')
}

// The header Range is ignored when the object no longer matches If-Range (RFC 9110 §13.1.5).
function rangeOf(stored: StoredObject, asked: Headers): string | null {
  const condition = asked.get('if-range')
  const isCurrent =
    condition === null ||
    condition === quotedEtag(stored) ||
    condition === toHttpDate(stored.updatedAt)
  return isCurrent ? asked.get('range') : null
}

// If-Modified-Since is ignored when the request has If-None-Match (RFC 9110 §13.2.2).
function isUnchanged(stored: StoredObject, asked: Headers): boolean {
  const etag = asked.get('if-none-match')
  if (etag !== null) return etag === quotedEtag(stored)
  const since = parseHttpDate(asked.get('if-modified-since') ?? '')
  return since !== undefined && toEpochSeconds(stored.updatedAt) <= toEpochSeconds(since)
}

function dispositionOf(query: URLSearchParams): string | undefined {
  const name = query.get('download')
  if (name === null) return undefined
  if (name === '') return 'attachment;'
  const encoded = encodeURIComponent(name.toWellFormed())
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded}`
}

/** Only a single range is accepted, as in upstream (RFC 9110 §14.1.2; docs/wire/storage.md#download). */
const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * Returns the requested span, shortened to the object's end. Returns `undefined` when the request has no Range header. @throws
 * {StorageError} `invalidRange`
 */
export function parseRange(header: string | null, sizeBytes: number): ByteSpan | undefined {
  if (header === null) return undefined
  const [, from, to] = SINGLE_RANGE.exec(header.trim()) ?? []
  if (from === undefined || to === undefined || (from === '' && to === ''))
    throw invalidRange(sizeBytes)
  if (from === '') {
    const count = Number(to)
    if (count === 0 || sizeBytes === 0) throw invalidRange(sizeBytes)
    return { first: Math.max(sizeBytes - count, 0), last: sizeBytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (first >= sizeBytes || last < first) throw invalidRange(sizeBytes)
  return { first, last }
}

function invalidRange(sizeBytes: number): StorageError {
  return new StorageError('invalidRange', undefined, {
    headers: { 'content-range': `bytes */${sizeBytes}` },
  })
}
