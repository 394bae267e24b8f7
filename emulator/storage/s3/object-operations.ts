// Objects as S3 has them: get, head, put, copy, delete one and many (storage-contract §9). Bytes go the way of every other
// upload and download; the bucket's limits hold here too.
import { toIso } from '../../core/time.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import { requireMediaType } from '../mime-type.ts'
import { requireObjectKey } from '../object-key.ts'
import type { StoredObject } from '../object-store.ts'
import { recordObject, refuseUnfit, putObject as storeObject, type Upload } from '../put-object.ts'
import { serveObject } from '../serve-object.ts'
import { quotedEtag } from '../wire.ts'
import { xml } from './bucket-operations.ts'
import {
  describe,
  metadataHeaders,
  readXml,
  requireBucket,
  type S3Call,
  type S3Operation,
} from './s3-call.ts'
import { S3Error } from './s3-error.ts'
import { contentsOf, element, group, textOf } from './xml.ts'

const MAX_DELETIONS = 1_000

/** GET and HEAD. */
export const getObject: S3Operation = async (deps, call) => {
  const stored = requireObject(deps, call)
  const response = serveObject(deps, { ...call, query: new URLSearchParams() }, stored)
  for (const [name, value] of metadataHeaders(stored.userMetadata))
    response.headers.set(name, value)
  return response
}

export const putObject: S3Operation = async (deps, call) => {
  const upload = uploadOf(deps, call)
  const { declaredBytes, bytes } = call.caller
  refuseUnfit(upload.bucket, upload.objectKey, upload.mimeType, declaredBytes)
  const stored = await storeObject(deps, upload, bytes())
  return new Response(null, { headers: { etag: quotedEtag(stored) } })
}

export const copyObject: S3Operation = async (deps, call) => {
  const { headers } = call.request
  const source = sourceOf(deps, call)
  const isReplacing = headers.get('x-amz-metadata-directive') === 'REPLACE'
  const { mimeType, cacheControl, userMetadata } = isReplacing ? describe(call.request) : source
  const upload: Upload = { ...uploadOf(deps, call), mimeType, cacheControl, userMetadata }
  refuseUnfit(upload.bucket, upload.objectKey, mimeType, source.sizeBytes)
  const version = deps.ids.uuid()
  if (!(await deps.blobs.copy(source.version, version))) throw refuse.bytesMissing()
  const copy = await recordObject(deps, upload, { ...source, version })
  return xml('CopyObjectResult', [
    element('LastModified', toIso(copy.updatedAt)),
    element('ETag', quotedEtag(copy)),
  ])
}

/** Says yes also where there was nothing. */
export const deleteObject: S3Operation = async (deps, call) => {
  const bucket = requireBucket(deps, call, call.bucket)
  const removed = await deps.objects.removeObject(bucket.fullName, call.objectKey)
  if (removed !== undefined) await deps.blobs.remove(removed.version)
  return new Response(null, { status: 204 })
}

export const deleteObjects: S3Operation = async (deps, call) => {
  const bucket = requireBucket(deps, call, call.bucket)
  const body = await readXml(call)
  const keys = contentsOf(body, 'Object').flatMap((object) => textOf(object, 'Key') ?? [])
  if (keys.length === 0 || keys.length > MAX_DELETIONS)
    throw new S3Error('MalformedXML', `Name 1 to ${MAX_DELETIONS} objects to delete.`)
  const removed = await deps.objects.removeObjects(bucket.fullName, keys)
  for (const { version } of removed) await deps.blobs.remove(version)
  const isQuiet = textOf(body, 'Quiet') === 'true'
  return xml(
    'DeleteResult',
    isQuiet ? [] : keys.map((key) => group('Deleted', [element('Key', key)])),
  )
}

/** The object that `x-amz-copy-source` names. @throws {StorageError} `objectNotFound`, `bucketNotFound` */
export function sourceOf(deps: StorageDeps, call: S3Call): StoredObject {
  const header = call.request.headers.get('x-amz-copy-source') ?? ''
  const [path = ''] = header.split('?')
  const [bucket = '', ...key] = decodePath(path).replace(/^\//, '').split('/')
  return requireObject(deps, { ...call, bucket, objectKey: key.join('/') })
}

/** Always replaces, as S3 does. */
export function uploadOf(deps: StorageDeps, call: S3Call): Upload {
  const described = describe(call.request)
  requireMediaType(described.mimeType)
  return {
    ...described,
    bucket: requireBucket(deps, call, call.bucket),
    objectKey: requireObjectKey(call.objectKey),
    ownerId: call.caller.key.accessKeyId,
    mayReplace: true,
  }
}

function requireObject(deps: StorageDeps, call: S3Call): StoredObject {
  const bucket = requireBucket(deps, call, call.bucket)
  const stored = deps.objects.findObject(bucket.fullName, call.objectKey)
  if (stored === undefined) throw refuse.objectNotFound()
  return stored
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is not a valid url component')
  }
}
