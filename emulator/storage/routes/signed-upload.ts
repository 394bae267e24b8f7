// Uploads by a signed URL: whoever may write hands out the right to store one object (docs/wire/storage.md#signed-urls).

import type { ActorReader } from '../access/actor.ts'
import { requireNamedBucket } from '../access/named-bucket.ts'
import { findOnlineBucket } from '../access/online-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { mintUrlToken, openUrl, urlOf } from '../access/url-token.ts'
import { withUploadBody } from '../bodies/upload-body.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import { putObject, refuseTaken, refuseUnfit } from '../objects/put-object.ts'
import type { StorageRoutes } from './route-table.ts'

/** 2 hours, as the hosted service has it (docs/wire/storage.md#signed-urls). */
const UPLOAD_URL_SECONDS = 7_200

export function signedUploadRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  return {
    '/object/upload/sign/:bucket/*': {
      // Refuses now what the upload itself would be refused for.
      POST: async (call) => {
        const { headers } = call.request
        const actor = await actors.requireActor(headers.get('authorization'), call.env.facts)
        const bucket = requireNamedBucket(deps, call.bucket, actor)
        const objectKey = requireObjectKey(call.objectKey)
        if (!mayWrite(actor, bucket)) throw refuse.row()
        const mayReplace = headers.get('x-upsert') === 'true'
        refuseTaken(deps, { bucket, objectKey, mayReplace })
        const url = urlOf(bucket.fullName, objectKey)
        const token = await mintUrlToken(deps, 'upload', url, UPLOAD_URL_SECONDS, {
          owner: actor.subject,
          upsert: mayReplace,
        })
        return Response.json({ url: `/object/upload/sign/${url}?token=${token}`, token })
      },
      // Owner and replacing are the token's affair, whatever headers say.
      PUT: async (call) => {
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
      },
    },
  }
}
