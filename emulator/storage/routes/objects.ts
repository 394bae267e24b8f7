// /object/:bucket/*: uploading, replacing and deleting one object (docs/wire/storage.md#upload).

import type { ActorReader } from '../access/actor.ts'
import { requireNamedBucket } from '../access/named-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { withUploadBody } from '../bodies/upload-body.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import { putObject, refuseTaken, refuseUnfit } from '../objects/put-object.ts'
import type { StorageCall, StorageRoutes } from './route-table.ts'

export function objectRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { objects, blobs } = deps

  async function enter({ request, env, bucket: name }: StorageCall) {
    const actor = await actors.requireActor(request.headers.get('authorization'), env.facts)
    return { actor, bucket: requireNamedBucket(deps, name, actor) }
  }

  // The order of the refusals is upstream's: bucket, body, key, row-level security, duplicate.
  async function upload(call: StorageCall, mayReplace: boolean): Promise<Response> {
    const { actor, bucket } = await enter(call)
    return withUploadBody(
      call.request,
      call.env,
      async ({ bytes, declaredBytes, ...described }) => {
        refuseUnfit(bucket, call.objectKey, described.mimeType, declaredBytes)
        const objectKey = requireObjectKey(call.objectKey)
        if (!mayWrite(actor, bucket)) throw refuse.row()
        const order = { ...described, bucket, objectKey, mayReplace, ownerId: actor.subject }
        refuseTaken(deps, order)
        const stored = await putObject(deps, order, bytes)
        return Response.json({ Key: `${stored.bucket}/${stored.objectKey}`, Id: stored.id })
      },
    )
  }

  return {
    '/object/:bucket/*': {
      POST: (call) => upload(call, call.request.headers.get('x-upsert') === 'true'),
      PUT: (call) => upload(call, true),
      DELETE: async (call) => {
        const { actor, bucket } = await enter(call)
        const objectKey = requireObjectKey(call.objectKey)
        // Also of what is not there: who may not delete does not learn what a private bucket holds.
        if (!mayWrite(actor, bucket)) throw refuse.access()
        const removed = await objects.removeObject(bucket.fullName, objectKey)
        if (removed === undefined) throw refuse.objectNotFound()
        await blobs.remove(removed.version)
        return Response.json({ message: 'Successfully deleted' })
      },
    },
  }
}
