// Creates signed URLs for one object or for many, and serves downloads through signed URLs (docs/wire/storage.md#signed-urls).
import { z } from 'zod'
import type { JsonObject } from '../../../core/json.ts'
import { epochMillis, SECOND_MILLIS, toHttpDate } from '../../../core/time.ts'
import type { StorageActor } from '../access/actor.ts'
import { findOnlineBucket } from '../access/find-bucket.ts'
import { maySign } from '../access/permissions.ts'
import { mintUrlToken, type OpenedUrl, openUrl, urlOf } from '../access/url-token.ts'
import { decodeBody } from '../bodies/json-body.ts'
import type { StorageDeps } from '../deps.ts'
import { serveObject } from '../downloads/serve-object.ts'
import { refuse } from '../errors.ts'
import {
  readTransformationClaim,
  type Transformation,
  transformationBody,
  transformationClaim,
} from '../image/transformation.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { StorageCall } from '../storage-call.ts'
import { PICTURE_CODES, servePicture } from './pictures.ts'
import {
  actorOf,
  BODY_CODE,
  FINDING_CODES,
  SIGNED_CODES,
  type StorageRouteDeps,
  type StorageRoutes,
} from './route-table.ts'

/** Maximum number of paths in one request (docs/wire/storage.md#signed-urls). */
const MAX_PATHS = 1_000
/** Latest date that JavaScript can represent, in epoch seconds. */
const MAX_SECONDS = 8_640_000_000_000

const SigningShape = z.object({
  expiresIn: z.int().min(1),
  transform: transformationBody.optional(),
})

const SigningManyShape = z.object({
  expiresIn: z.int().min(1),
  paths: z.array(z.string()).min(1).max(MAX_PATHS),
})

const SIGNING_CODES = [...FINDING_CODES, BODY_CODE] as const

export const SIGNING_ROUTES: StorageRoutes = {
  'POST /object/sign/:bucket/*': {
    operation: 'object.sign',
    title: 'Signs an address',
    codes: SIGNING_CODES,
    body: SigningShape,
    handler: (deps) => (call) => signOne(deps, call),
  },
  'POST /object/sign/:bucket': {
    operation: 'object.sign',
    title: 'Signs addresses',
    codes: SIGNING_CODES,
    body: SigningManyShape,
    handler: (deps) => (call) => signMany(deps, call),
  },
  'GET,HEAD /object/sign/:bucket/*': {
    operation: 'object.download_signed',
    title: 'Opens a signed address',
    codes: [...SIGNED_CODES, ...FINDING_CODES, 'bytesMissing'],
    handler: (deps) => (call) => download(deps, call),
  },
  'GET,HEAD /render/image/sign/:bucket/*': {
    operation: 'picture.render_sign',
    title: 'Renders a picture',
    codes: [...PICTURE_CODES, ...SIGNED_CODES],
    handler: (deps) => (call) => picture(deps, call),
  },
}

async function signOne(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const { expiresIn, transform } = await decodeBody(call, SigningShape)
  const stored = findSignable(deps, actor, call.bucket, call.objectKey)
  if (stored === undefined) throw refuse.objectNotFound()
  return Response.json({ signedURL: await signDownload(deps, stored, expiresIn, transform) })
}

async function signMany(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  const { expiresIn, paths } = await decodeBody(call, SigningManyShape)
  const answers: JsonObject[] = []
  for (const path of paths) {
    const stored = findSignable(deps, actor, call.bucket, path)
    answers.push(
      stored === undefined
        ? { error: NOT_SIGNED, path, signedURL: null }
        : { error: null, path, signedURL: await signDownload(deps, stored, expiresIn) },
    )
  }
  return Response.json(answers)
}

// Returns `undefined` both without permission and without an object, so that the response does not reveal which objects exist.
function findSignable(
  { buckets, objects }: StorageDeps,
  actor: StorageActor,
  name: string,
  key: string,
): StoredObject | undefined {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined || !maySign(actor, bucket)) return undefined
  return objects.findObject(bucket.fullName, key)
}

async function download(deps: StorageDeps, call: StorageCall): Promise<Response> {
  const { stored, expiresAt } = await open(deps, call)
  return serveObject(deps, call, stored, { expires: dateOf(expiresAt) })
}

// The transformation is part of the signed token, so the query cannot change it.
async function picture(deps: StorageDeps, call: StorageCall): Promise<Response> {
  const { stored, claims, expiresAt } = await open(deps, call)
  const wanted = readTransformationClaim(claims['transformations'], claims['format'])
  return servePicture(deps, call, stored, wanted, { expires: dateOf(expiresAt) })
}

async function open(
  deps: StorageDeps,
  call: StorageCall,
): Promise<OpenedUrl & { readonly stored: StoredObject }> {
  const opened = await openUrl(deps, 'download', call)
  const bucket = findOnlineBucket(deps, call)
  const stored = bucket && deps.objects.findObject(bucket.fullName, call.objectKey)
  if (stored === undefined) throw refuse.objectNotFound()
  return { ...opened, stored }
}

const NOT_SIGNED = 'Either the object does not exist or you do not have access to it'

// fact: upstream puts the key into the URL without encoding. Clients encode the whole URL.
async function signDownload(
  deps: StorageDeps,
  { bucket, objectKey }: StoredObject,
  expiresIn: number,
  transform?: Transformation,
): Promise<string> {
  const url = urlOf(bucket, objectKey)
  const isPicture = transform !== undefined && Object.keys(transform).length > 0
  const claims: JsonObject = isPicture
    ? {
        transformations: transformationClaim(transform),
        ...(transform.format === undefined ? {} : { format: transform.format }),
      }
    : {}
  const token = await mintUrlToken(deps, 'download', url, expiresIn, claims)
  return `/${isPicture ? 'render/image' : 'object'}/sign/${url}?token=${token}`
}

function dateOf(seconds: number): string {
  return toHttpDate(epochMillis(Math.min(seconds, MAX_SECONDS) * SECOND_MILLIS))
}
