// DELETE /cdn/…: removes objects from caches in front of the service (docs/wire/storage.md#errors). The emulator has no such cache, so
// a purge only checks that the caller may do it.
import type { RouteKey } from '../../core/routes.ts'
import { requireNamedBucket } from '../access/find-bucket.ts'
import { mayAdminister } from '../access/permissions.ts'
import { refuse } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import { actorOf, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

const PATHS: readonly RouteKey[] = [
  'DELETE /cdn/:bucket/*',
  'DELETE /cdn/:bucket',
  'DELETE /cdn/',
  'DELETE /cdn',
]

export const CACHE_ROUTES: StorageRoutes = Object.fromEntries(
  PATHS.map((path) => [
    path,
    {
      operation: 'cdn.purge',
      title: 'Purges a cache',
      codes: ['bucketNotFound', 'roleRefused'],
      handler: (deps) => (call) => purge(deps, call),
    } satisfies StorageRoutes[RouteKey],
  ]),
)

async function purge(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  if (!mayAdminister(actor)) throw refuse.role()
  if (call.bucket !== '') requireNamedBucket(deps, call.bucket, actor)
  return Response.json({ message: 'success' })
}
