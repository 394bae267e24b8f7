// Serves the buckets and objects of storage to S3 clients below /s3, in path style. Selects the S3 operation by method, path
// depth, query and headers.
import { listParts, listUploads } from '../s3/multipart/multipart-lists.ts'
import {
  abortUpload,
  beginUpload,
  completeUpload,
  copyPart,
  uploadPart,
} from '../s3/multipart/multipart-operations.ts'
import {
  bucketLocation,
  bucketVersioning,
  createBucket,
  deleteBucket,
  headBucket,
  listBuckets,
} from '../s3/operations/bucket-operations.ts'
import { deleteObject, deleteObjects } from '../s3/operations/delete-operations.ts'
import { listObjects } from '../s3/operations/list-operations.ts'
import { copyObject, getObject, putObject } from '../s3/operations/object-operations.ts'
import { bucketAcl, readerOf, subResourceIn } from '../s3/operations/sub-resources.ts'
import { isPostForm, postForm } from '../s3/presigned-form/post-form.ts'
import type { S3Operation } from '../s3/s3-call.ts'
import { refusalInXml, S3Error } from '../s3/s3-error.ts'
import { authenticate } from '../s3/signing/authenticate.ts'
import type { StorageCall } from '../storage-call.ts'
import type { StorageRouteDeps, StorageRoutes } from './route-table.ts'
import type { MountedRoutes } from './router.ts'

const mounted = {
  handler: (deps: StorageRouteDeps) => (call: StorageCall) => serve(deps, call),
} as const
const READ = { ...mounted, operation: 's3.read', codes: [] } as const

export const S3_ROUTES: StorageRoutes = {
  'GET,HEAD /s3': { ...READ, title: 'Lists buckets over S3' },
  'GET,HEAD /s3/*': { ...READ, title: 'Reads over S3' },
  'PUT,POST /s3/*': {
    ...mounted,
    operation: 's3.write',
    title: 'Writes over S3',
    codes: ['bucketExists', 'invalidKey', 'invalidMimeType', 'tooLarge', 'rowRefused', 'diskFull'],
    storesBytes: true,
  },
  'DELETE /s3/*': {
    ...mounted,
    operation: 's3.delete',
    title: 'Deletes over S3',
    codes: ['bucketNotEmpty'],
  },
}

/** Requests that S3 always refuses. Faults don't apply to these requests. */
export const S3_SIDE_ROUTES: MountedRoutes<StorageRouteDeps> = { 'PUT,POST,DELETE /s3': mounted }

async function serve(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  try {
    // The first segment of the path below /s3 is the bucket.
    const [bucket = '', ...key] = call.objectKey.split('/')
    const named = { ...call, bucket, objectKey: key.join('/') }
    if (isPostForm(named)) return await postForm(deps, named)
    const caller = authenticate(deps, named)
    return await requireOperation(named, caller.headers)(deps, { ...named, caller })
  } catch (error) {
    throw refusalInXml(error, `/${call.objectKey}`)
  }
}

type Writes = Readonly<Record<string, S3Operation>>

// Operations by the result of `writeOf`.
const BUCKET_WRITES: Writes = {
  'PUT ': createBucket,
  'DELETE ': deleteBucket,
  'POST delete': deleteObjects,
}
const OBJECT_WRITES: Writes = {
  'PUT ': putObject,
  'PUT partNumber,uploadId': uploadPart,
  'DELETE ': deleteObject,
  'DELETE versionId': deleteObject,
  'DELETE uploadId': abortUpload,
  'POST uploads': beginUpload,
  'POST uploadId': completeUpload,
}
const COPIES: Writes = {
  ...OBJECT_WRITES,
  'PUT ': copyObject,
  'PUT partNumber,uploadId': copyPart,
}

function requireOperation(call: StorageCall, headers: Headers): S3Operation {
  const operation = operationOf(call, headers)
  if (operation !== undefined) return operation
  throw new S3Error('NotImplemented', 'The platform does not implement this S3 operation.')
}

function operationOf(call: StorageCall, headers: Headers): S3Operation | undefined {
  const { request, query, bucket, objectKey } = call
  const isRead = request.method === 'GET'
  if (bucket === '') return isRead ? listBuckets : undefined
  const isHead = request.method === 'HEAD'
  if (objectKey === '') {
    if (isRead) return readingBucket(query)
    return isHead ? headBucket : BUCKET_WRITES[writeOf(call)]
  }
  if (isRead) return readingObject(query)
  if (isHead) return getObject
  return (headers.has('x-amz-copy-source') ? COPIES : OBJECT_WRITES)[writeOf(call)]
}

function readingBucket(query: URLSearchParams): S3Operation | undefined {
  if (query.has('location')) return bucketLocation
  if (query.has('versioning')) return bucketVersioning
  if (query.has('uploads')) return listUploads
  if (query.has('acl')) return bucketAcl
  return subResourceIn(query) === undefined ? listObjects : undefined
}

function readingObject(query: URLSearchParams): S3Operation | undefined {
  if (query.has('uploadId')) return listParts
  const subResource = subResourceIn(query)
  return subResource === undefined ? getObject : readerOf(subResource)
}

// The key of an operation includes every query parameter, so that an unknown sub-resource matches no operation. Otherwise a
// request for a sub-resource would replace or delete the object itself. Parameters of signatures and SDKs are ignored.
function writeOf({ request, query }: StorageCall): string {
  const names = [...query.keys()].filter((name) => name !== 'x-id' && !/^x-amz-/i.test(name))
  return `${request.method} ${names.sort().join()}`
}
