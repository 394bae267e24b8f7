// DELETE /cdn/…: forgetting what caches in front of the service hold (docs/wire/storage.md#errors). There are none here, so that every
// answer is fresh and a purge has nothing to do but to be allowed.

import type { ActorReader } from '../access/actor.ts'
import { requireNamedBucket } from '../access/named-bucket.ts'
import { mayAdminister } from '../access/permissions.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse } from '../errors.ts'
import type { StorageHandler, StorageRoutes } from './route-table.ts'

export function cacheRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const purge: StorageHandler = async ({ request, env, bucket }) => {
    const actor = await actors.requireActor(request.headers.get('authorization'), env.facts)
    if (!mayAdminister(actor)) throw refuse.role()
    if (bucket !== '') requireNamedBucket(deps, bucket, actor)
    return Response.json({ message: 'success' })
  }
  const paths = ['/cdn', '/cdn/', '/cdn/:bucket', '/cdn/:bucket/*']
  return Object.fromEntries(paths.map((path) => [path, { DELETE: purge }]))
}
