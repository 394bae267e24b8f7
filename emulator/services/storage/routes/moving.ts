// Moves and copies one object; deletes several objects in one request (docs/wire/storage.md#moving).
import { z } from 'zod'
import type { StorageActor } from '../access/actor.ts'
import { requireNamedBucket } from '../access/find-bucket.ts'
import { mayWrite } from '../access/permissions.ts'
import { urlOf } from '../access/url-token.ts'
import { decodeBody } from '../bodies/json-body.ts'
import { parseMetadata } from '../bodies/upload-body.ts'
import { requireMediaType } from '../buckets/bucket-limits.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import type { ObjectPlace, StoredObject } from '../objects/object-store.ts'
import { recordObject, refuseTaken, refuseUnfit, type Upload } from '../objects/put-object.ts'
import { objectToWire } from '../objects/wire.ts'
import type { StorageCall } from '../storage-call.ts'
import {
  actorOf,
  BODY_CODE,
  FINDING_CODES,
  type StorageRouteDeps,
  type StorageRoutes,
} from './route-table.ts'

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

export const MOVING_ROUTES: StorageRoutes = {
  'POST /object/move': {
    operation: 'object.move',
    title: 'Moves a file',
    codes: [
      ...FINDING_CODES,
      'invalidBucketName',
      'invalidKey',
      'invalidMimeType',
      'objectExists',
      'resourceExists',
      'rowRefused',
      'tooLarge',
      BODY_CODE,
    ],
    body: MoveShape,
    handler: (deps) => (call) => moveOne(deps, call),
  },
  'POST /object/copy': {
    operation: 'object.copy',
    title: 'Copies a file',
    codes: [
      ...FINDING_CODES,
      'invalidBucketName',
      'bytesMissing',
      'invalidKey',
      'invalidMimeType',
      'objectExists',
      'rowRefused',
      'tooLarge',
      'diskFull',
      BODY_CODE,
    ],
    storesBytes: true,
    body: CopyShape,
    handler: (deps) => (call) => copyOne(deps, call),
  },
  'DELETE /object/:bucket': {
    operation: 'object.delete_many',
    title: 'Deletes files',
    codes: ['bucketNotFound', BODY_CODE],
    body: RemovalShape,
    handler: (deps) => (call) => removeMany(deps, call),
  },
}

async function moveOne(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const { from, to, objectKey } = wayOf(deps, actor, await decodeBody(call, MoveShape))
  const source = requireSource(deps, from)
  if (to.fullName !== from.bucket) refuseUnfit(to, objectKey, source.mimeType, source.sizeBytes)
  const move = await deps.objects.moveObject(from, { bucket: to.fullName, objectKey })
  switch (move.kind) {
    case 'moved':
      return Response.json({ message: 'Successfully moved' })
    case 'absent':
      throw refuse.objectNotFound()
    case 'bucketGone':
      throw refuse.bucketNotFound()
    case 'taken':
      throw new StorageError('resourceExists')
  }
}

async function copyOne(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const asked = await decodeBody(call, CopyShape)
  const { from, to, objectKey } = wayOf(deps, actor, asked)
  const source = requireSource(deps, from)
  const upload: Upload = {
    ...describe(source, asked, call.request.headers),
    bucket: to,
    objectKey,
    ownerId: actor.subject,
    mayReplace: call.request.headers.get('x-upsert') === 'true',
  }
  refuseUnfit(to, objectKey, upload.mimeType, source.sizeBytes)
  refuseTaken(deps, upload)
  const copy = await recordObject(deps, upload, await copyBlob(deps, source))
  return Response.json({
    Id: copy.id,
    Key: urlOf(copy.bucket, copy.objectKey),
    ...objectToWire(copy),
  })
}

// Deletes several objects. Ignores keys that do not exist and keys that the caller may not delete.
async function removeMany(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const { prefixes } = await decodeBody(call, RemovalShape)
  const bucket = deps.buckets.findBucket(call.bucket)
  if (bucket === undefined || !mayWrite(actor, bucket)) return Response.json([])
  const removed = await deps.objects.removeObjects(bucket.fullName, prefixes)
  for (const { version } of removed) await deps.blobs.remove(version)
  return Response.json(removed.map(objectToWire))
}

function wayOf(deps: StorageDeps, actor: StorageActor, asked: z.output<typeof MoveShape>): Way {
  const bucket = requireNamedBucket(deps, asked.bucketId, actor)
  const to = requireNamedBucket(deps, asked.destinationBucket ?? asked.bucketId, actor)
  const objectKey = requireObjectKey(asked.destinationKey)
  if (!mayWrite(actor, bucket) || !mayWrite(actor, to)) throw refuse.row()
  return { from: { bucket: bucket.fullName, objectKey: asked.sourceKey }, to, objectKey }
}

function requireSource({ objects }: StorageDeps, { bucket, objectKey }: ObjectPlace): StoredObject {
  const stored = objects.findObject(bucket, objectKey)
  if (stored === undefined) throw refuse.objectNotFound()
  return stored
}

async function copyBlob(deps: StorageDeps, stored: StoredObject): Promise<StoredObject> {
  const version = deps.ids.uuid()
  if (await deps.blobs.copy(stored.version, version)) return { ...stored, version }
  // Another request replaced the object between look-up and copy. The current content of the object is copied instead.
  const current = requireSource(deps, stored)
  if (current.version === stored.version) throw refuse.bytesMissing()
  return copyBlob(deps, current)
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
