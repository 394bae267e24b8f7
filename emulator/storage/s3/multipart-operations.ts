// S3 uploads in parts (storage-contract §9). A part is staged and kept like an object's bytes; completing reads all of them
// into one blob.
import { createHash } from 'node:crypto'
import { toIso } from '../../core/time.ts'
import type { BlobStore } from '../blob-store.ts'
import { parseRange } from '../byte-range.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import { limitOf, recordObject, refuseUnfit } from '../put-object.ts'
import { quotedEtag } from '../wire.ts'
import { xml } from './bucket-operations.ts'
import type { MultipartUpload, UploadedPart } from './multipart-store.ts'
import { sourceOf, uploadOf } from './object-operations.ts'
import { readXml, requireBucket, type S3Call, type S3Operation } from './s3-call.ts'
import { S3Error } from './s3-error.ts'
import { contentsOf, element, group, textOf } from './xml.ts'

const MAX_PARTS = 10_000

export const beginUpload: S3Operation = async (deps, call) => {
  const upload = uploadOf(deps, call)
  refuseUnfit(upload.bucket, upload.objectKey, upload.mimeType, undefined)
  const id = deps.ids.uuid()
  const { mimeType, cacheControl, userMetadata, objectKey } = upload
  deps.s3.multipart.begin({
    id,
    bucket: upload.bucket.fullName,
    objectKey,
    ownerId: call.caller.key.accessKeyId,
    mimeType,
    cacheControl,
    userMetadata,
  })
  return xml('InitiateMultipartUploadResult', [...placeOf(call), element('UploadId', id)])
}

export const uploadPart: S3Operation = async (deps, call) => {
  const part = await keepPart(deps, call, call.caller.bytes())
  return new Response(null, { headers: { etag: `"${part.md5}"` } })
}

export const copyPart: S3Operation = async (deps, call) => {
  const source = sourceOf(deps, call)
  const blob = deps.blobs.open(source.version)
  if (blob === undefined) throw refuse.bytesMissing()
  const range = call.request.headers.get('x-amz-copy-source-range')
  const span = parseRange(range, source.sizeBytes) ?? { first: 0, last: source.sizeBytes - 1 }
  const part = await keepPart(deps, call, blob.stream(span))
  return xml('CopyPartResult', [
    element('LastModified', toIso(deps.clock.now())),
    element('ETag', `"${part.md5}"`),
  ])
}

export const listParts: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  return xml('ListPartsResult', [
    ...placeOf(call),
    element('UploadId', upload.id),
    element('IsTruncated', false),
    ...deps.s3.multipart.parts(upload.id).map(partToXml),
  ])
}

export const listUploads: S3Operation = async (deps, call) => {
  const { fullName } = requireBucket(deps, call, call.bucket)
  return xml('ListMultipartUploadsResult', [
    element('Bucket', fullName),
    element('IsTruncated', false),
    ...deps.s3.multipart
      .list(fullName)
      .map(({ objectKey, id, createdAt }) =>
        group('Upload', [
          element('Key', objectKey),
          element('UploadId', id),
          element('Initiated', toIso(createdAt)),
        ]),
      ),
  ])
}

export const abortUpload: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  for (const fileId of deps.s3.multipart.end(upload.id)) await deps.blobs.remove(fileId)
  return new Response(null, { status: 204 })
}

export const completeUpload: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  const parts = chosenParts(deps.s3.multipart.parts(upload.id), await readXml(call))
  const bucket = requireBucket(deps, call, call.bucket)
  const staged = await deps.blobs.stage(joined(deps.blobs, parts), {
    limitBytes: limitOf(bucket, upload.objectKey),
  })
  const version = deps.ids.uuid()
  await deps.blobs.keep(staged, version)
  const { objectKey, ownerId, mimeType, cacheControl, userMetadata } = upload
  const stored = await recordObject(
    deps,
    { bucket, objectKey, ownerId, mimeType, cacheControl, userMetadata, mayReplace: true },
    { version, sizeBytes: staged.sizeBytes, etag: joinedEtag(parts) },
  )
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
  const bucket = requireBucket(deps, call, call.bucket)
  const { blobs, s3, ids } = deps
  const staged = await blobs.stage(bytes, { limitBytes: limitOf(bucket, upload.objectKey) })
  const fileId = ids.uuid()
  await blobs.keep(staged, fileId)
  const { sizeBytes, md5 } = staged
  const placed = s3.multipart.putPart(upload.id, { partNumber, fileId, sizeBytes, md5 })
  const unused = placed === 'gone' ? fileId : placed.replacedFileId
  if (unused !== undefined) await blobs.remove(unused)
  if (placed === 'gone') throw noSuchUpload()
  return { md5 }
}

function requireUpload(deps: StorageDeps, call: S3Call): MultipartUpload {
  const { fullName } = requireBucket(deps, call, call.bucket)
  const upload = deps.s3.multipart.find(call.query.get('uploadId') ?? '')
  if (upload?.bucket !== fullName || upload.objectKey !== call.objectKey) throw noSuchUpload()
  return upload
}

/** The parts the body names, in the order it names them. */
function chosenParts(present: readonly UploadedPart[], body: string): readonly UploadedPart[] {
  const byNumber = new Map(present.map((part) => [part.partNumber, part]))
  let last = 0
  const chosen = contentsOf(body, 'Part').map((named) => {
    const partNumber = Number(textOf(named, 'PartNumber'))
    const part = byNumber.get(partNumber)
    const etag = textOf(named, 'ETag')?.replaceAll('"', '')
    if (part === undefined || (etag !== undefined && etag !== part.md5))
      throw new S3Error('InvalidPart', `Part ${partNumber} was not uploaded with this ETag.`)
    if (partNumber <= last)
      throw new S3Error('InvalidPartOrder', 'The parts must be named in ascending order.')
    last = partNumber
    return part
  })
  if (chosen.length === 0) throw new S3Error('MalformedXML', 'Name at least one part.')
  return chosen
}

async function* joined(
  blobs: Pick<BlobStore, 'open'>,
  parts: readonly UploadedPart[],
): AsyncGenerator<Uint8Array> {
  for (const { fileId, sizeBytes } of parts) {
    if (sizeBytes === 0) continue
    const blob = blobs.open(fileId)
    if (blob === undefined) throw refuse.bytesMissing()
    yield* blob.stream({ first: 0, last: sizeBytes - 1 })
  }
}

// fact: the hash of the parts' hashes, and how many they were.
function joinedEtag(parts: readonly UploadedPart[]): string {
  const hash = createHash('md5')
  for (const { md5 } of parts) hash.update(Buffer.from(md5, 'hex'))
  return `${hash.digest('hex')}-${parts.length}`
}

function placeOf({ bucket, objectKey }: S3Call): readonly string[] {
  return [element('Bucket', bucket), element('Key', objectKey)]
}

function partToXml({ partNumber, md5, sizeBytes, createdAt }: UploadedPart): string {
  return group('Part', [
    element('PartNumber', partNumber),
    element('LastModified', toIso(createdAt)),
    element('ETag', `"${md5}"`),
    element('Size', sizeBytes),
  ])
}

function noSuchUpload(): S3Error {
  return new S3Error('NoSuchUpload', 'The specified multipart upload does not exist.')
}
