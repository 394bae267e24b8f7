// S3 operations on objects: get, head, put, copy. The operations use the same upload and download code as the other routes, so
// the bucket's limits apply.
import { toHttpDate, toIso } from '../../../../core/time.ts'
import { requireMediaType } from '../../buckets/bucket-limits.ts'
import type { StorageDeps } from '../../deps.ts'
import { serveObject } from '../../downloads/serve-object.ts'
import { refuse } from '../../errors.ts'
import { requireObjectKey } from '../../objects/object-key.ts'
import type { StoredObject } from '../../objects/object-store.ts'
import {
  recordObject,
  refuseTaken,
  refuseUnfit,
  putObject as storeObject,
  type Upload,
} from '../../objects/put-object.ts'
import { quotedEtag } from '../../objects/wire.ts'
import { isChecksumName } from '../body/checksum.ts'
import {
  describe,
  metadataHeaders,
  refuseVersion,
  requireBucket,
  type S3Call,
  type S3Operation,
} from '../s3-call.ts'
import { S3Error } from '../s3-error.ts'
import { isHeaderText } from '../signing/authenticate.ts'
import { element } from '../xml.ts'
import { xml } from './bucket-operations.ts'
import { judge, preconditionFailed, requireSource, writeGuard } from './conditions.ts'

/** Response headers that a signed request can override with `response-*` parameters. */
const OVERRIDABLE = [
  'content-type',
  'content-disposition',
  'content-language',
  'content-encoding',
  'cache-control',
  'expires',
] as const

/** Handles GET and HEAD. */
export const getObject: S3Operation = async (deps, call) => {
  const stored = requireObject(deps, call)
  const verdict = judge(call.request.headers, stored)
  if (verdict === 'failed') throw preconditionFailed()
  if (verdict === 'unchanged') return notModified(stored)
  const overrides = overridesIn(call.query)
  const response = serveObject(deps, { ...call, query: new URLSearchParams() }, stored)
  for (const [name, value] of [...metadataHeaders(stored.userMetadata), ...overrides])
    response.headers.set(name, value)
  return response
}

export const putObject: S3Operation = async (deps, call) => {
  const upload = uploadOf(deps, call)
  const { declaredBytes, bytes } = call.caller
  refuseUnfit(upload.bucket, upload.objectKey, upload.mimeType, declaredBytes)
  refuseTaken(deps, upload)
  const stored = await storeObject(deps, upload, bytes())
  return new Response(null, { headers: { etag: quotedEtag(stored), ...verifiedIn(call.request) } })
}

export const copyObject: S3Operation = async (deps, call) => {
  const { headers } = call.caller
  const source = sourceOf(deps, call)
  const isReplacing = headers.get('x-amz-metadata-directive') === 'REPLACE'
  const { mimeType, cacheControl, userMetadata } = isReplacing ? describe(headers) : source
  const upload: Upload = { ...uploadOf(deps, call), mimeType, cacheControl, userMetadata }
  refuseUnfit(upload.bucket, upload.objectKey, mimeType, source.sizeBytes)
  refuseTaken(deps, upload)
  const version = deps.ids.uuid()
  if (!(await deps.blobs.copy(source.version, version))) throw refuse.bytesMissing()
  const copy = await recordObject(deps, upload, { ...source, version })
  return xml('CopyObjectResult', [
    element('LastModified', toIso(copy.updatedAt)),
    element('ETag', quotedEtag(copy)),
  ])
}

/**
 * Returns the object that `x-amz-copy-source` names. Checks the conditions for the source of the copy.
 * @throws {StorageError} `objectNotFound`, `bucketNotFound`
 * @throws {S3Error} `InvalidArgument`, `NoSuchVersion`, `PreconditionFailed`
 */
export function sourceOf(deps: StorageDeps, call: S3Call): StoredObject {
  const { headers } = call.caller
  const [path = '', parameters] = (headers.get('x-amz-copy-source') ?? '').split('?')
  const [bucket = '', ...key] = decodePath(path).replace(/^\//, '').split('/')
  const query = new URLSearchParams(parameters)
  const source = requireObject(deps, { ...call, query, bucket, objectKey: key.join('/') })
  requireSource(headers, source)
  return source
}

/**
 * Describes the upload from the request's headers. The upload replaces an existing object, as in S3, unless a condition in the
 * headers forbids this.
 */
export function uploadOf(deps: StorageDeps, call: S3Call): Upload {
  const { headers, key } = call.caller
  const described = describe(headers)
  requireMediaType(described.mimeType)
  return {
    ...described,
    bucket: requireBucket(deps, call.caller.key, call.bucket),
    objectKey: requireObjectKey(call.objectKey),
    ownerId: key.accessKeyId,
    mayReplace: true,
    guard: writeGuard(headers),
  }
}

/**
 * Returns the object that the request names.
 * @throws {StorageError} `objectNotFound`, `bucketNotFound`
 * @throws {S3Error} `NoSuchVersion`
 */
export function requireObject(deps: StorageDeps, call: S3Call): StoredObject {
  const bucket = requireBucket(deps, call.caller.key, call.bucket)
  refuseVersion(call.query.get('versionId'))
  const stored = deps.objects.findObject(bucket.fullName, call.objectKey)
  if (stored === undefined) throw refuse.objectNotFound()
  return stored
}

/** Returns the request's checksum headers, so that the response can repeat them. Called after the bytes were verified. */
export function verifiedIn({ headers }: Request): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => isChecksumName(name)))
}

function overridesIn(query: URLSearchParams): Map<string, string> {
  const overrides = new Map<string, string>()
  for (const name of OVERRIDABLE) {
    const value = query.get(`response-${name}`)
    if (value === null) continue
    if (!isHeaderText(value))
      throw new S3Error(
        'InvalidArgument',
        `response-${name} has characters that a header cannot contain.`,
      )
    overrides.set(name, value)
  }
  return overrides
}

function notModified(stored: StoredObject): Response {
  const headers = { etag: quotedEtag(stored), 'last-modified': toHttpDate(stored.updatedAt) }
  return new Response(null, { status: 304, headers })
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is not a valid url component')
  }
}
