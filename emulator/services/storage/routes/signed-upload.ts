// Signed upload URLs: a caller with write permission creates a URL with which others can upload one object
// (docs/wire/storage.md#signed-urls).
import { admitByUrlToken } from '../access/admission.ts'
import { requireNamedBucket } from '../access/find-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { mintUrlToken, urlOf } from '../access/url-token.ts'
import { refuse } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import { refuseTaken } from '../objects/put-object.ts'
import type { StorageCall } from '../storage-call.ts'
import { storeBody } from './objects.ts'
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
    codes: ['rowRefused', 'invalidKey', 'invalidBucketName', 'bucketNotFound', 'objectExists'],
    handler: (deps) => (call) => sign(deps, call),
  },
  'PUT /object/upload/sign/:bucket/*': {
    operation: 'object.upload_signed',
    title: 'Uploads to a signed address',
    codes: [...SIGNED_CODES, ...STORING_CODES],
    storesBytes: true,
    handler: (deps) => {
      const admit = admitByUrlToken(deps)
      return async (call) => {
        const { bucket, objectKey } = await storeBody(deps, call, admit)
        return Response.json({ Key: urlOf(bucket, objectKey) })
      }
    },
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
