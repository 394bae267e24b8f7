// GET /status and /version: whether the service runs, and its release. Monitors ask without a credential; no fault reaches them.
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
