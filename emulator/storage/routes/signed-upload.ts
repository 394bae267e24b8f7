// Signed upload URLs: a caller with write permission creates a URL with which others can upload one object
// (docs/wire/storage.md#signed-urls).
import { findOnlineBucket, requireNamedBucket } from '../access/find-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { mintUrlToken, openUrl, urlOf } from '../access/url-token.ts'
import { withUploadBody } from '../bodies/upload-body.ts'
import { refuse } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import { putObject, refuseTaken, refuseUnfit } from '../objects/put-object.ts'
import type { StorageCall } from '../storage-call.ts'
import {
  actorOf,
  SIGNED_CODES,
  STORING_CODES,
  type StorageRouteDeps,
  type StorageRoutes,
} from './route-table.ts'

/** Lifetime of a signed upload URL in seconds: 2 hours, as on the hosted service (docs/wire/storage.md#signed-urls). */
const UPLOAD_URL_SECONDS = 7_200

export const SIGNED_UPLOAD_ROUTES: StorageRoutes = {
  'POST /object/upload/sign/:bucket/*': {
    operation: 'object.sign_upload',
    title: 'Signs an upload',
    codes: ['rowRefused', 'invalidKey', 'bucketNotFound', 'objectExists'],
    handler: (deps) => (call) => sign(deps, call),
  },
  'PUT /object/upload/sign/:bucket/*': {
    operation: 'object.upload_signed',
    title: 'Uploads to a signed address',
    codes: [...SIGNED_CODES, ...STORING_CODES],
    storesBytes: true,
    handler: (deps) => (call) => upload(deps, call),
  },
}

// Bucket, key, permission and duplicates are checked before signing, so that an upload that would fail gets no URL.
async function sign(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const bucket = requireNamedBucket(deps, call.bucket, actor)
  const objectKey = requireObjectKey(call.objectKey)
  if (!mayWrite(actor, bucket)) throw refuse.row()
  const mayReplace = call.request.headers.get('x-upsert') === 'true'
  refuseTaken(deps, { bucket, objectKey, mayReplace })
  const url = urlOf(bucket.fullName, objectKey)
  const token = await mintUrlToken(deps, 'upload', url, UPLOAD_URL_SECONDS, {
    owner: actor.subject,
    upsert: mayReplace,
  })
  return Response.json({ url: `/object/upload/sign/${url}?token=${token}`, token })
}

// The owner and the permission to replace come from the token. Headers of the upload cannot change them.
async function upload(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const { claims } = await openUrl(deps, 'upload', call)
  const bucket = findOnlineBucket(deps, call)
  if (bucket === undefined) throw refuse.bucketNotFound()
  const { request, env, objectKey } = call
  return withUploadBody(request, env, async ({ bytes, declaredBytes, ...described }) => {
    refuseUnfit(bucket, objectKey, described.mimeType, declaredBytes)
    const order = {
      ...described,
      bucket,
      objectKey,
      mayReplace: claims['upsert'] === true,
      ownerId: typeof claims['owner'] === 'string' ? claims['owner'] : undefined,
    }
    refuseTaken(deps, order)
    const stored = await putObject(deps, order, bytes)
    return Response.json({ Key: urlOf(stored.bucket, stored.objectKey) })
  })
}
