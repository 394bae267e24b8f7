// /s3: the same buckets and objects for S3 clients, path style (storage-contract §9). S3 tells operations apart by method,
// depth of the path, query and headers.
import type { StorageDeps } from '../deps.ts'
import { authenticate } from '../s3/authenticate.ts'
import {
  bucketLocation,
  bucketVersioning,
  createBucket,
  deleteBucket,
  headBucket,
  listBuckets,
} from '../s3/bucket-operations.ts'
import { listObjects } from '../s3/list-operations.ts'
import {
  abortUpload,
  beginUpload,
  completeUpload,
  copyPart,
  listParts,
  listUploads,
  uploadPart,
} from '../s3/multipart-operations.ts'
import {
  copyObject,
  deleteObject,
  deleteObjects,
  getObject,
  putObject,
} from '../s3/object-operations.ts'
import type { S3Operation } from '../s3/s3-call.ts'
import { refusalInXml, S3Error } from '../s3/s3-error.ts'
import type { StorageCall, StorageHandler, StorageRoutes } from './route-table.ts'

export function s3Routes(deps: StorageDeps): StorageRoutes {
  const serve: StorageHandler = async (call) => {
    try {
      // The rest of the path, whose first segment is the bucket.
      const [bucket = '', ...key] = call.objectKey.split('/')
      const named = { ...call, bucket, objectKey: key.join('/') }
      const caller = authenticate(deps, named)
      return await operationOf(named)(deps, { ...named, caller })
    } catch (error) {
      throw refusalInXml(error, `/${call.objectKey}`)
    }
  }
  const all = { GET: serve, HEAD: serve, PUT: serve, POST: serve, DELETE: serve }
  return { '/s3': all, '/s3/*': all }
}

function operationOf(call: StorageCall): S3Operation {
  const operation =
    call.bucket === '' ? atRoot(call) : call.objectKey === '' ? onBucket(call) : onObject(call)
  if (operation !== undefined) return operation
  throw new S3Error('NotImplemented', 'This operation of S3 is not part of the platform.')
}

function atRoot({ request }: StorageCall): S3Operation | undefined {
  return request.method === 'GET' ? listBuckets : undefined
}

function onBucket({ request, query }: StorageCall): S3Operation | undefined {
  switch (request.method) {
    case 'GET':
      if (query.has('location')) return bucketLocation
      if (query.has('versioning')) return bucketVersioning
      if (query.has('uploads')) return listUploads
      return listObjects
    case 'HEAD':
      return headBucket
    case 'PUT':
      return isBare(query) ? createBucket : undefined
    case 'DELETE':
      return isBare(query) ? deleteBucket : undefined
    default:
      return query.has('delete') ? deleteObjects : undefined
  }
}

function onObject({ request, query }: StorageCall): S3Operation | undefined {
  const isPart = query.has('uploadId')
  const isCopy = request.headers.has('x-amz-copy-source')
  switch (request.method) {
    case 'GET':
      return isPart ? listParts : getObject
    case 'HEAD':
      return getObject
    case 'PUT':
      if (isPart) return isCopy ? copyPart : uploadPart
      return isCopy ? copyObject : putObject
    case 'DELETE':
      return isPart ? abortUpload : deleteObject
    default:
      if (query.has('uploads')) return beginUpload
      return isPart ? completeUpload : undefined
  }
}

// `?acl`, `?tagging`, `?lifecycle` and their like would otherwise create and delete buckets.
function isBare(query: URLSearchParams): boolean {
  return [...query.keys()].every((name) => name.startsWith('X-Amz-') || name === 'x-id')
}
