// DELETE /cdn/…: purges objects from the CDN of the hosted platform (docs/wire/storage.md#errors). The emulator has no CDN, so
// the routes only check permission.
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
