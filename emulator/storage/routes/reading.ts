// Reading one object: its bytes, its headers, its record (storage-contract §4). What may not be read is not found.
import { mayRead } from '../access.ts'
import type { ActorReader, StorageActor } from '../actor.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StoredObject } from '../object-store.ts'
import { serveObject } from '../serve-object.ts'
import { objectInfoToWire } from '../wire.ts'
import type { StorageCall, StorageHandler, StorageRoutes } from './route-table.ts'

type Reader = (call: StorageCall) => Promise<StoredObject>

export function readingRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { buckets, objects } = deps

  function find(call: StorageCall, actor: StorageActor | undefined): StoredObject {
    const bucket = buckets.findBucket(call.bucket)
    if (bucket === undefined || isForeign(actor, bucket.schemaName)) throw refuse.bucketNotFound()
    const stored = mayRead(actor, bucket)
      ? objects.findObject(bucket.fullName, call.objectKey)
      : undefined
    if (stored === undefined) throw refuse.objectNotFound()
    return stored
  }
  const authorizationOf = ({ request }: StorageCall) => request.headers.get('authorization')
  const byBearer: Reader = async (call) =>
    find(call, await actors.requireActor(authorizationOf(call), call.env.facts))
  // A bearer that is not good counts as nobody, who reads public buckets.
  const byAnyone: Reader = async (call) => {
    const actor = await actors.findActor(authorizationOf(call), call.env.facts)
    if (actor === undefined) return byNobody(call)
    return find(call, actor)
  }
  const byNobody: Reader = async (call) => {
    if (buckets.findBucket(call.bucket)?.isPublic !== true) throw refuse.bucketNotFound()
    return find(call, undefined)
  }
  const bytes = (read: Reader): Record<'GET' | 'HEAD', StorageHandler> => {
    const serve: StorageHandler = async (call) => serveObject(deps, call, await read(call))
    return { GET: serve, HEAD: serve }
  }
  const record = (read: Reader): Record<'GET' | 'HEAD', StorageHandler> => ({
    GET: async (call) => Response.json(objectInfoToWire(await read(call))),
    HEAD: async (call) => serveObject(deps, call, await read(call)),
  })
  return {
    '/object/:bucket/*': bytes(byAnyone),
    '/object/authenticated/:bucket/*': bytes(byBearer),
    '/object/public/:bucket/*': bytes(byNobody),
    '/object/info/:bucket/*': record(byBearer),
    '/object/info/authenticated/:bucket/*': record(byBearer),
    '/object/info/public/:bucket/*': record(byNobody),
  }
}

function isForeign(actor: StorageActor | undefined, schemaName: string): boolean {
  return actor !== undefined && actor.schemaName !== schemaName
}
