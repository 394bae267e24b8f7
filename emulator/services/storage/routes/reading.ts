// Reads one object: its bytes, headers or record (docs/wire/storage.md#download). Callers get "not found" for an object that
// they may not read.
import type { ObjectReader, ObjectReaders } from '../access/object-readers.ts'
import { serveObject } from '../downloads/serve-object.ts'
import { objectInfoToWire } from '../objects/wire.ts'
import type { StorageHandler } from '../storage-call.ts'
import { FINDING_CODES, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

type ReaderName = keyof ObjectReaders

const READING = {
  operation: 'object.download',
  title: 'Downloads a file',
  codes: [...FINDING_CODES, 'bytesMissing', 'invalidRange', 'accessDenied'],
} as const
const INFO = { operation: 'object.info', codes: FINDING_CODES } as const

export const READING_ROUTES: StorageRoutes = {
  'GET,HEAD /object/:bucket/*': { ...READING, handler: bytesFor('byAnyone') },
  'GET,HEAD /object/authenticated/:bucket/*': { ...READING, handler: bytesFor('byBearer') },
  'GET,HEAD /object/public/:bucket/*': {
    operation: 'object.download_public',
    title: 'Downloads without a token',
    codes: [...FINDING_CODES, 'bytesMissing', 'invalidRange'],
    handler: bytesFor('publicly'),
  },
  'GET,HEAD /object/info/:bucket/*': {
    ...INFO,
    title: 'Reads a file’s record',
    handler: recordFor('byBearer'),
  },
  'GET,HEAD /object/info/authenticated/:bucket/*': {
    ...INFO,
    title: 'Reads a record',
    handler: recordFor('byBearer'),
  },
  'GET,HEAD /object/info/public/:bucket/*': {
    ...INFO,
    title: 'Reads a record',
    handler: recordFor('publicly'),
  },
}

function bytesFor(reader: ReaderName): (deps: StorageRouteDeps) => StorageHandler {
  return (deps) => serveWith(deps, deps.readers[reader])
}

function recordFor(reader: ReaderName): (deps: StorageRouteDeps) => StorageHandler {
  return (deps) => {
    const read = deps.readers[reader]
    const serve = serveWith(deps, read)
    return async (call) =>
      call.request.method === 'HEAD'
        ? serve(call)
        : Response.json(objectInfoToWire(await read(call)))
  }
}

function serveWith(deps: StorageRouteDeps, read: ObjectReader): StorageHandler {
  return async (call) => serveObject(deps, call, await read(call))
}
