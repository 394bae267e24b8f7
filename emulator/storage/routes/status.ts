// GET /status answers while the service runs, and GET /version returns the release. Monitors call both without a credential.
// Faults don't apply to these routes.
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
