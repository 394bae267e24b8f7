// GET /status and /version: whether the service runs, and which release it is. Monitors ask without a credential.
import type { StorageDeps } from '../deps.ts'
import type { StorageHandler, StorageRoutes } from './route-table.ts'

export function statusRoutes({ release }: Pick<StorageDeps, 'release'>): StorageRoutes {
  const status: StorageHandler = () => new Response(null)
  const version: StorageHandler = () => new Response(release)
  return {
    '/status': { GET: status, HEAD: status },
    '/version': { GET: version, HEAD: version },
  }
}
