// Implements S3 multipart uploads. Each part is staged and kept as a blob, like an object's bytes. Completing an upload copies
// all its parts into one blob.
import { createHash } from 'node:crypto'
import { toIso } from '../../../../core/time.ts'
import type { ByteSpan } from '../../blobs/blob-store.ts'
import type { StorageDeps } from '../../deps.ts'
import { refuse } from '../../errors.ts'
import { keepBytes, recordObject, refuseTaken, refuseUnfit } from '../../objects/put-object.ts'
import { quotedEtag } from '../../objects/wire.ts'
import { xml } from '../operations/bucket-operations.ts'
import { writeGuard } from '../operations/conditions.ts'
import { sourceOf, uploadOf, verifiedIn } from '../operations/object-operations.ts'
import { readXml, requireBucket, type S3Call, type S3Operation } from '../s3-call.ts'
import { S3Error } from '../s3-error.ts'
import { element } from '../xml.ts'
import { bytesIn, type ChosenPart, chosenParts, joinedParts } from './join-parts.ts'
import type { MultipartUpload } from './multipart-store.ts'

const MAX_PARTS = 10_000

export const beginUpload: S3Operation = async (deps, call) => {
  const { bucket, ...upload } = uploadOf(deps, call)
  refuseUnfit(bucket, upload.objectKey, upload.mimeType, undefined)
  const id = deps.ids.uuid()
  const ownerId = call.caller.key.accessKeyId
  deps.s3.multipart.begin({ ...upload, id, bucket: bucket.fullName, ownerId })
  return xml('InitiateMultipartUploadResult', [...placeOf(call), element('UploadId', id)])
}

export const uploadPart: S3Operation = async (deps, call) => {
  const part = await keepPart(deps, call, call.caller.bytes())
  return new Response(null, { headers: { etag: `"${part.md5}"`, ...verifiedIn(call.request) } })
}

export const copyPart: S3Operation = async (deps, call) => {
  const source = sourceOf(deps, call)
  const span = spanIn(call.caller.headers.get('x-amz-copy-source-range'), source.sizeBytes)
  const blob = deps.blobs.open(source.version)
  if (blob === undefined) throw refuse.bytesMissing()
  const part = await keepPart(deps, call, bytesIn(blob, span))
  return xml('CopyPartResult', [
    element('LastModified', toIso(deps.clock.now())),
    element('ETag', `"${part.md5}"`),
  ])
}

export const abortUpload: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  for (const fileId of deps.s3.multipart.end(upload.id)) await deps.blobs.remove(fileId)
  return new Response(null, { status: 204 })
}

export const completeUpload: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  const body = await readXml(call, 'CompleteMultipartUpload')
  const parts = chosenParts(deps.s3.multipart.parts(upload.id), body)
  const bucket = requireBucket(deps, call.caller.key, call.bucket)
  const { objectKey, ownerId, mimeType, cacheControl, userMetadata } = upload
  const described = { objectKey, ownerId, mimeType, cacheControl, userMetadata }
  const { headers } = call.caller
  const order = { ...described, bucket, mayReplace: true, guard: writeGuard(headers) }
  refuseTaken(deps, order)
  const kept = await keepBytes(deps, order, joinedParts(deps.blobs, parts, headers))
  const stored = await recordObject(deps, order, { ...kept, etag: joinedEtag(parts) })
  for (const fileId of deps.s3.multipart.end(upload.id)) await deps.blobs.remove(fileId)
  return xml('CompleteMultipartUploadResult', [
    ...placeOf(call),
    element('Location', `${call.env.addresses.storageUrl}/s3/${call.bucket}/${objectKey}`),
    element('ETag', quotedEtag(stored)),
  ])
}

async function keepPart(
  deps: StorageDeps,
  call: S3Call,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly md5: string }> {
  const upload = requireUpload(deps, call)
  const partNumber = Number(call.query.get('partNumber'))
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > MAX_PARTS)
    throw new S3Error('InvalidArgument', `partNumber must be from 1 to ${MAX_PARTS}`)
  const bucket = requireBucket(deps, call.caller.key, call.bucket)
  const { objectKey } = upload
  const {
    version: fileId,
    sizeBytes,
    etag: md5,
  } = await keepBytes(deps, { bucket, objectKey }, bytes)
  const placed = deps.s3.multipart.putPart(upload.id, { partNumber, fileId, sizeBytes, md5 })
  const unused = placed === 'gone' ? fileId : placed.replacedFileId
  if (unused !== undefined) await deps.blobs.remove(unused)
  if (placed === 'gone') throw noSuchUpload()
  return { md5 }
}

/**
 * Returns the upload that the request's path and query identify.
 * @throws {S3Error} `NoSuchUpload`
 * @throws {StorageError} `bucketNotFound`
 */
export function requireUpload(deps: StorageDeps, call: S3Call): MultipartUpload {
  const { fullName } = requireBucket(deps, call.caller.key, call.bucket)
  const upload = deps.s3.multipart.find(call.query.get('uploadId') ?? '')
  if (upload?.bucket !== fullName || upload.objectKey !== call.objectKey) throw noSuchUpload()
  return upload
}

// Computes the ETag in S3's format: the MD5 of the parts' MD5s, then `-` and the number of parts.
function joinedEtag(parts: readonly ChosenPart[]): string {
  const hash = createHash('md5')
  for (const { md5 } of parts) hash.update(Buffer.from(md5, 'hex'))
  return `${hash.digest('hex')}-${parts.length}`
}

/** Writes the XML elements Bucket and Key, which begin every response about a multipart upload. */
export function placeOf({ bucket, objectKey }: S3Call): readonly string[] {
  return [element('Bucket', bucket), element('Key', objectKey)]
}

// Unlike the header Range, x-amz-copy-source-range must give both ends, and both must lie within the source.
function spanIn(range: string | null, sizeBytes: number): ByteSpan {
  if (range === null) return { first: 0, last: sizeBytes - 1 }
  const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range) ?? []
  const span = { first: Number(from), last: Number(to) }
  if (from === undefined || to === undefined || span.last < span.first)
    throw new S3Error(
      'InvalidArgument',
      `x-amz-copy-source-range must be of the form bytes=first-last, got '${range}'.`,
    )
  if (span.last < sizeBytes) return span
  throw new S3Error(
    'InvalidArgument',
    `Range '${range}' is not valid for a source object of ${sizeBytes} bytes.`,
  )
}

function noSuchUpload(): S3Error {
  return new S3Error('NoSuchUpload', 'The specified multipart upload does not exist.')
}
