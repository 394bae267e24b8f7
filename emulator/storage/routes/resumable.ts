// /upload/resumable: uploads in several requests by TUS, with a bearer or with the token of a signed upload URL
// (docs/wire/storage.md#tus).
import type { ActorReader } from '../access/actor.ts'
import type { StorageDeps } from '../deps.ts'
import { type Admit, admitByBearer, admitBySignature } from '../resumable/admission.ts'
import type { TusServer } from '../resumable/tus-server.ts'
import type { StorageHandler, StorageRoutes } from './route-table.ts'

const FOLDER = '/upload/resumable'

export function resumableRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  let loading: Promise<TusServer> | undefined
  async function load(): Promise<TusServer> {
    const { createTusServer } = await import('../resumable/tus-server.ts')
    return createTusServer(deps)
  }
  const by = (admit: Admit, folder: string): StorageRoutes => {
    const serve: StorageHandler = async (call) => {
      loading ??= load()
      const server = await loading
      return server({ call, admit, folder })
    }
    return {
      [folder]: { POST: serve, OPTIONS: serve },
      [`${folder}/*`]: { POST: serve, HEAD: serve, PATCH: serve, DELETE: serve, OPTIONS: serve },
    }
  }
  return {
    ...by(admitByBearer(deps, actors), FOLDER),
    ...by(admitBySignature(deps), `${FOLDER}/sign`),
  }
}
