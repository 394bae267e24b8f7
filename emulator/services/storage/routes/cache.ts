// DELETE /cdn/…: purges objects from the CDN of the hosted platform (docs/wire/storage.md#errors). The emulator has no CDN, so
// the routes only check permission.
import { requireNamedBucket } from '../access/find-bucket.ts'
import { mayAdminister } from '../access/permissions.ts'
import { refuse } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import { actorOf, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

const PURGE = {
  operation: 'cdn.purge',
  title: 'Purges a cache',
  codes: ['bucketNotFound', 'invalidBucketName', 'roleRefused'],
  handler: (deps: StorageRouteDeps) => (call: StorageCall) => purge(deps, call),
} as const

export const CACHE_ROUTES: StorageRoutes = {
  'DELETE /cdn/:bucket/*': PURGE,
  'DELETE /cdn/:bucket': PURGE,
  'DELETE /cdn/': PURGE,
  'DELETE /cdn': PURGE,
}

async function purge(deps: StorageRouteDeps, call: StorageCall): Promise<Response> {
  const actor = await actorOf(deps, call)
  if (!mayAdminister(actor)) throw refuse.role()
  if (call.bucket !== '') requireNamedBucket(deps, call.bucket, actor)
  return Response.json({ message: 'success' })
}
