// S3 operations on buckets: list, create, head, delete (docs/wire/storage.md#s3). Bucket names follow the platform's naming rule.
import { toIso } from '../../../../core/time.ts'
import { requireBucketName } from '../../buckets/bucket-name.ts'
import { refuse, StorageError } from '../../errors.ts'
import { requireBucket, type S3Operation } from '../s3-call.ts'
import { element, group, XML_HEADERS, xmlDocument } from '../xml.ts'

/** Region in responses. The emulator accepts requests that are signed for any region. */
export const REGION = 'local'

export const listBuckets: S3Operation = async ({ buckets }, { caller }) => {
  const { schemaName, accessKeyId } = caller.key
  const own = [...buckets.listBuckets(schemaName)].sort((a, b) =>
    a.fullName < b.fullName ? -1 : 1,
  )
  const entries = own.map(({ fullName, createdAt }) =>
    group('Bucket', [element('Name', fullName), element('CreationDate', toIso(createdAt))]),
  )
  return xml('ListAllMyBucketsResult', [
    group('Owner', [element('ID', accessKeyId), element('DisplayName', schemaName)]),
    group('Buckets', entries),
  ])
}

export const createBucket: S3Operation = async (deps, { bucket: name, caller }) => {
  const { schemaName, accessKeyId } = caller.key
  requireBucketName(deps, schemaName, name)
  const added = deps.buckets.addBucket({
    fullName: name,
    schemaName,
    isPublic: false,
    fileSizeLimit: undefined,
    ownerId: accessKeyId,
  })
  if (added === undefined) throw refuse.bucketExists()
  return new Response(null, { headers: { location: `/${name}` } })
}

export const headBucket: S3Operation = async (deps, call) => {
  requireBucket(deps, call.caller.key, call.bucket)
  return new Response(null, { headers: { 'x-amz-bucket-region': REGION } })
}

export const deleteBucket: S3Operation = async (deps, call) => {
  if (!deps.buckets.removeBucket(requireBucket(deps, call.caller.key, call.bucket)))
    throw new StorageError('bucketNotEmpty')
  return new Response(null, { status: 204 })
}

export const bucketLocation: S3Operation = async (deps, call) => {
  requireBucket(deps, call.caller.key, call.bucket)
  return xml('LocationConstraint', [REGION])
}

/** The versioning of a bucket is always an empty configuration, because objects have no versions. */
export const bucketVersioning: S3Operation = async (deps, call) => {
  requireBucket(deps, call.caller.key, call.bucket)
  return xml('VersioningConfiguration', [])
}

/** Builds a response with an XML document. */
export function xml(name: string, content: readonly string[]): Response {
  return new Response(xmlDocument(name, content), { headers: XML_HEADERS })
}
