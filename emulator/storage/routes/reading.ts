// Reading one object: its bytes, its headers, its record (docs/wire/storage.md#download). What may not be read is not found.
import type { ActorReader } from '../access/actor.ts'
import { createObjectReaders, type ObjectReader } from '../access/object-readers.ts'
import type { StorageDeps } from '../deps.ts'
import { serveObject } from '../downloads/serve-object.ts'
import { objectInfoToWire } from '../objects/wire.ts'
import type { StorageHandler, StorageRoutes } from './route-table.ts'

export function readingRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { byBearer, byAnyone, byNobody } = createObjectReaders(deps, actors)
  const bytes = (read: ObjectReader): Record<'GET' | 'HEAD', StorageHandler> => {
    const serve: StorageHandler = async (call) => serveObject(deps, call, await read(call))
    return { GET: serve, HEAD: serve }
  }
  const record = (read: ObjectReader): Record<'GET' | 'HEAD', StorageHandler> => ({
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
