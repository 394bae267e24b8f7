// /object/:bucket/*: uploads, replaces and deletes one object (docs/wire/storage.md#upload).
import { type Admit, admitByBearer } from '../access/admission.ts'
import { requireNamedBucket } from '../access/find-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { urlOf } from '../access/url-token.ts'
import { withUploadBody } from '../bodies/upload-body.ts'
import { refuse } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { putObject, refuseTaken, refuseUnfit } from '../objects/put-object.ts'
import type { StorageCall } from '../storage-call.ts'
import {
  actorOf,
  FINDING_CODES,
  STORING_CODES,
  type StorageRouteDeps,
  type StorageRoutes,
} from './route-table.ts'

export const OBJECT_ROUTES: StorageRoutes = {
  'POST,PUT /object/:bucket/*': {
    operation: 'object.upload',
    title: 'Uploads a file',
    codes: ['invalidBucketName', ...STORING_CODES],
    storesBytes: true,
    handler: (deps) => {
      const admit = admitByBearer(deps, deps.actors)
      return async (call) => {
        const { bucket, objectKey, id } = await storeBody(deps, call, admit)
        return Response.json({ Key: urlOf(bucket, objectKey), Id: id })
      }
    },
  },
  'DELETE /object/:bucket/*': {
    operation: 'object.delete',
    title: 'Deletes a file',
    codes: [...FINDING_CODES, 'invalidBucketName', 'accessDenied', 'rowRefused'],
    handler: (deps) => (call) => remove(deps, call),
  },
}

/** Stores the body of a request. Runs the checks in upstream's order: bucket, body, key, row-level security, duplicate. */
export async function storeBody(
  deps: StorageRouteDeps,
  call: StorageCall,
  admit: Admit,
): Promise<StoredObject> {
  const { bucket, ownerId, mayReplace, mayWrite: isAllowed } = await admit(call)
  return withUploadBody(call.request, call.env, async ({ bytes, declaredBytes, ...described }) => {
    refuseUnfit(bucket, call.objectKey, described.mimeType, declaredBytes)
    const objectKey = requireObjectKey(call.objectKey)
    if (!isAllowed) throw refuse.row()
    const order = { ...described, bucket, objectKey, mayReplace, ownerId }
    refuseTaken(deps, order)
    return putObject(deps, order, bytes)
  })
}

async function remove(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const bucket = requireNamedBucket(deps, call.bucket, actor)
  const objectKey = requireObjectKey(call.objectKey)
  // The permission is checked before the look-up, so that the response does not reveal which objects a private bucket holds.
  if (!mayWrite(actor, bucket)) throw refuse.access()
  const removed = await deps.objects.removeObject(bucket.fullName, objectKey)
  if (removed === undefined) throw refuse.objectNotFound()
  await deps.blobs.remove(removed.version)
  return Response.json({ message: 'Successfully deleted' })
}
