// POST /object/move, POST /object/copy, DELETE /object/:bucket: objects that get another name, a twin, or go together
// (docs/wire/storage.md#moving).
import { z } from 'zod'
import type { ActorReader, StorageActor } from '../access/actor.ts'
import { requireNamedBucket } from '../access/named-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { urlOf } from '../access/url-token.ts'
import { decodeBody } from '../bodies/json-body.ts'
import { parseMetadata } from '../bodies/upload-body.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import { requireMediaType } from '../buckets/mime-type.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import type { ObjectPlace, StoredObject } from '../objects/object-store.ts'
import { recordObject, refuseTaken, refuseUnfit, type Upload } from '../objects/put-object.ts'
import { objectToWire } from '../objects/wire.ts'
import type { StorageCall, StorageRoutes } from './route-table.ts'

const MoveShape = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
})

const CopyShape = MoveShape.extend({
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({ cacheControl: z.string().optional(), mimetype: z.string().optional() })
    .nullish(),
})

const RemovalShape = z.object({ prefixes: z.array(z.string()).min(1) })

interface Way {
  readonly from: ObjectPlace
  readonly to: Bucket
  readonly objectKey: string
}

export function movingRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { buckets, objects, blobs } = deps
  const actorOf = ({ request, env }: StorageCall): Promise<StorageActor> =>
    actors.requireActor(request.headers.get('authorization'), env.facts)

  function wayOf(actor: StorageActor, asked: z.output<typeof MoveShape>): Way {
    const bucket = requireNamedBucket(deps, asked.bucketId, actor)
    const to = requireNamedBucket(deps, asked.destinationBucket ?? asked.bucketId, actor)
    const objectKey = requireObjectKey(asked.destinationKey)
    if (!mayWrite(actor, bucket) || !mayWrite(actor, to)) throw refuse.row()
    return { from: { bucket: bucket.fullName, objectKey: asked.sourceKey }, to, objectKey }
  }

  function requireSource({ bucket, objectKey }: ObjectPlace): StoredObject {
    const stored = objects.findObject(bucket, objectKey)
    if (stored === undefined) throw refuse.objectNotFound()
    return stored
  }

  async function copyBlob(stored: StoredObject): Promise<StoredObject> {
    const version = deps.ids.uuid()
    if (await blobs.copy(stored.version, version)) return { ...stored, version }
    // Replaced between look-up and copy: the content there is now is as good.
    const current = requireSource(stored)
    if (current.version === stored.version) throw refuse.bytesMissing()
    return copyBlob(current)
  }

  return {
    '/object/move': {
      POST: async (call) => {
        const actor = await actorOf(call)
        const { from, to, objectKey } = wayOf(actor, await decodeBody(call, MoveShape))
        const source = requireSource(from)
        if (to.fullName !== from.bucket)
          refuseUnfit(to, objectKey, source.mimeType, source.sizeBytes)
        const move = await objects.moveObject(from, { bucket: to.fullName, objectKey })
        if (move.kind === 'absent') throw refuse.objectNotFound()
        if (move.kind === 'bucketGone') throw refuse.bucketNotFound()
        if (move.kind === 'taken')
          throw new StorageError('resourceExists', 'The resource already exists')
        return Response.json({ message: 'Successfully moved' })
      },
    },
    '/object/copy': {
      POST: async (call) => {
        const actor = await actorOf(call)
        const asked = await decodeBody(call, CopyShape)
        const { from, to, objectKey } = wayOf(actor, asked)
        const source = requireSource(from)
        const upload: Upload = {
          ...describe(source, asked, call.request.headers),
          bucket: to,
          objectKey,
          ownerId: actor.subject,
          mayReplace: call.request.headers.get('x-upsert') === 'true',
        }
        refuseUnfit(to, objectKey, upload.mimeType, source.sizeBytes)
        refuseTaken(deps, upload)
        const copy = await recordObject(deps, upload, await copyBlob(source))
        return Response.json({
          Id: copy.id,
          Key: urlOf(copy.bucket, copy.objectKey),
          ...objectToWire(copy),
        })
      },
    },
    '/object/:bucket': {
      // What is not there and what may not be removed are left out alike.
      DELETE: async (call) => {
        const actor = await actorOf(call)
        const { prefixes } = await decodeBody(call, RemovalShape)
        const bucket = buckets.findBucket(call.bucket)
        if (bucket === undefined || !mayWrite(actor, bucket)) return Response.json([])
        const removed = await objects.removeObjects(bucket.fullName, prefixes)
        for (const { version } of removed) await blobs.remove(version)
        return Response.json(removed.map(objectToWire))
      },
    },
  }
}

function describe(
  source: StoredObject,
  { copyMetadata, metadata }: z.output<typeof CopyShape>,
  headers: Headers,
): Pick<Upload, 'mimeType' | 'cacheControl' | 'userMetadata' | 'robotsTag'> {
  const { mimeType, cacheControl, userMetadata, robotsTag } = source
  if (copyMetadata) return { mimeType, cacheControl, userMetadata, robotsTag }
  const given = headers.get('x-metadata')
  return {
    mimeType: metadata?.mimetype === undefined ? mimeType : requireMediaType(metadata.mimetype),
    cacheControl: metadata?.cacheControl ?? cacheControl,
    userMetadata:
      given === null ? undefined : parseMetadata(Buffer.from(given, 'base64').toString()),
  }
}
