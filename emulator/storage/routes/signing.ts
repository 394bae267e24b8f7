// Signed URLs: making them, one and many, and downloading by one (docs/wire/storage.md#signed-urls).
import { z } from 'zod'
import type { JsonObject } from '../../core/json.ts'
import { epochMillis, SECOND_MILLIS, toHttpDate } from '../../core/time.ts'
import type { ActorReader, StorageActor } from '../access/actor.ts'
import { findOnlineBucket } from '../access/online-bucket.ts'
import { maySign } from '../access/permissions.ts'
import { mintUrlToken, type OpenedUrl, openUrl, urlOf } from '../access/url-token.ts'
import { decodeBody } from '../bodies/json-body.ts'
import type { StorageDeps } from '../deps.ts'
import { serveObject } from '../downloads/serve-object.ts'
import { refuse } from '../errors.ts'
import {
  readTransformationClaim,
  transformationBody,
  transformationClaim,
} from '../image/transformation.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { servePicture } from './pictures.ts'
import type { StorageCall, StorageHandler, StorageRoutes } from './route-table.ts'

/** docs/wire/storage.md#signed-urls. */
const MAX_PATHS = 1_000
/** The last instant a date can name. */
const MAX_SECONDS = 8_640_000_000_000

const SigningShape = z.object({
  expiresIn: z.int().min(1),
  transform: transformationBody.optional(),
})

const SigningManyShape = z.object({
  expiresIn: z.int().min(1),
  paths: z.array(z.string()).min(1).max(MAX_PATHS),
})

export function signingRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { buckets, objects } = deps
  const actorOf = ({ request, env }: StorageCall): Promise<StorageActor> =>
    actors.requireActor(request.headers.get('authorization'), env.facts)

  // No access and no object are the same answer.
  function findSignable(actor: StorageActor, name: string, key: string): StoredObject | undefined {
    const bucket = buckets.findBucket(name)
    if (bucket === undefined || !maySign(actor, bucket)) return undefined
    return objects.findObject(bucket.fullName, key)
  }

  async function signMany(call: StorageCall): Promise<Response> {
    const actor = await actorOf(call)
    const { expiresIn, paths } = await decodeBody(call, SigningManyShape)
    const answers: JsonObject[] = []
    for (const path of paths) {
      const stored = findSignable(actor, call.bucket, path)
      answers.push(
        stored === undefined
          ? { error: NOT_SIGNED, path, signedURL: null }
          : { error: null, path, signedURL: await signDownload(deps, stored, expiresIn) },
      )
    }
    return Response.json(answers)
  }

  async function open(call: StorageCall): Promise<OpenedUrl & { readonly stored: StoredObject }> {
    const opened = await openUrl(deps, 'download', call)
    const bucket = findOnlineBucket(deps, call)
    const stored = bucket && objects.findObject(bucket.fullName, call.objectKey)
    if (stored === undefined) throw refuse.objectNotFound()
    return { ...opened, stored }
  }
  const download: StorageHandler = async (call) => {
    const { stored, expiresAt } = await open(call)
    return serveObject(deps, call, stored, { expires: dateOf(expiresAt) })
  }
  // What the picture is to be like was signed too: the query has no say.
  const picture: StorageHandler = async (call) => {
    const { stored, claims, expiresAt } = await open(call)
    const wanted = readTransformationClaim(claims['transformations'], claims['format'])
    return servePicture(deps, call, stored, wanted, { expires: dateOf(expiresAt) })
  }

  return {
    '/object/sign/:bucket': { POST: signMany },
    '/object/sign/:bucket/*': {
      POST: async (call) => {
        const actor = await actorOf(call)
        const { expiresIn, transform } = await decodeBody(call, SigningShape)
        const stored = findSignable(actor, call.bucket, call.objectKey)
        if (stored === undefined) throw refuse.objectNotFound()
        return Response.json({ signedURL: await signDownload(deps, stored, expiresIn, transform) })
      },
      GET: download,
      HEAD: download,
    },
    '/render/image/sign/:bucket/*': { GET: picture, HEAD: picture },
  }
}

const NOT_SIGNED = 'Either the object does not exist or you do not have access to it'

// fact: the key stands in the address as it is; clients encode the whole.
async function signDownload(
  deps: StorageDeps,
  { bucket, objectKey }: StoredObject,
  expiresIn: number,
  transform?: z.output<typeof transformationBody>,
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
