// /upload/resumable: uploads in several requests with the TUS protocol. Requests carry a bearer token or the token of a signed
// upload URL (docs/wire/storage.md#tus).
import { type Admit, admitByBearer, admitBySignature } from '../access/admission.ts'
import type { StorageHandler } from '../storage-call.ts'
import {
  SIGNED_CODES,
  STORING_CODES,
  type StorageRouteDeps,
  type StorageRoutes,
} from './route-table.ts'
import type { MountedRoutes } from './router.ts'

type HandlerMaker = (deps: StorageRouteDeps) => StorageHandler

const byBearer = tusHandler((deps) => admitByBearer(deps, deps.actors), '/upload/resumable')
const bySignature = tusHandler(admitBySignature, '/upload/resumable/sign')

const CREATE = {
  operation: 'upload.create',
  title: 'Begins a resumable upload',
  codes: ['invalidBucketName', ...STORING_CODES.filter((code) => code !== 'unreadableBody')],
} as const
const CREATE_SIGNED = {
  ...CREATE,
  operation: 'upload.create_signed',
  codes: [...CREATE.codes, ...SIGNED_CODES],
} as const
const APPEND = {
  operation: 'upload.append',
  title: 'Continues a resumable upload',
  codes: ['objectNotFound', 'tooLarge', 'clientGone', 'locked', 'diskFull'],
  storesBytes: true,
} as const
const STATUS = {
  operation: 'upload.status',
  title: 'Reads the offset of a resumable upload',
  codes: ['objectNotFound'],
} as const
const ABANDON = {
  operation: 'upload.abandon',
  title: 'Abandons a resumable upload',
  codes: ['objectNotFound', 'locked'],
} as const

export const RESUMABLE_ROUTES: StorageRoutes = {
  'POST /upload/resumable': { ...CREATE, handler: byBearer },
  'PATCH /upload/resumable/*': { ...APPEND, handler: byBearer },
  'HEAD /upload/resumable/*': { ...STATUS, handler: byBearer },
  'DELETE /upload/resumable/*': { ...ABANDON, handler: byBearer },
  'POST /upload/resumable/sign': { ...CREATE_SIGNED, handler: bySignature },
  'PATCH /upload/resumable/sign/*': { ...APPEND, handler: bySignature },
  'HEAD /upload/resumable/sign/*': { ...STATUS, handler: bySignature },
  'DELETE /upload/resumable/sign/*': { ...ABANDON, handler: bySignature },
}

/** Further requests of the TUS protocol, such as OPTIONS. Faults don't apply to these requests. */
export const RESUMABLE_SIDE_ROUTES: MountedRoutes<StorageRouteDeps> = {
  'OPTIONS /upload/resumable': { handler: byBearer },
  'POST,OPTIONS /upload/resumable/*': { handler: byBearer },
  'OPTIONS /upload/resumable/sign': { handler: bySignature },
  'POST,OPTIONS /upload/resumable/sign/*': { handler: bySignature },
}

function tusHandler(admitWith: (deps: StorageRouteDeps) => Admit, folder: string): HandlerMaker {
  return (deps) => {
    const admit = admitWith(deps)
    return async (call) => {
      const serve = await deps.loadTus()
      return serve({ call, admit, folder })
    }
  }
}
