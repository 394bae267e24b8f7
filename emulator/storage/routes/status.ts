// GET /status and /version: whether the service runs, and its release. Monitors call them without a credential. Faults don't
// apply to them.
import type { StorageDeps } from '../deps.ts'
import type { MountedRoutes } from './router.ts'

export const STATUS_ROUTES: MountedRoutes<StorageDeps> = {
  'GET,HEAD /status': { handler: () => () => new Response(null) },
  'GET,HEAD /version': {
    handler:
      ({ release }) =>
      () =>
        new Response(release),
  },
}
