// Builds the object storage service (docs/wire/storage.md). Handlers throw refusals; the HTTP server renders them with
// `renderError`.
import type { ServiceApp } from '../../core/request-env.ts'
import { ActorReader } from './access/actor.ts'
import { createObjectReaders } from './access/object-readers.ts'
import type { StorageDeps } from './deps.ts'
import { makeInert } from './downloads/inert-answer.ts'
import { renderStorageError, renderStorageInternal, renderStorageUnavailable } from './errors.ts'
import type { TusServer } from './resumable/tus-server.ts'
import { RESUMABLE_SIDE_ROUTES } from './routes/resumable.ts'
import type { StorageRouteDeps } from './routes/route-table.ts'
import { createRouter, type MountedRoutes } from './routes/router.ts'
import { S3_SIDE_ROUTES } from './routes/s3.ts'
import { RESUMABLE_ROUTES, S3_ROUTES, STORAGE_ROUTES } from './routes.ts'

// GET /status answers while the service runs, and GET /version returns the release. Monitors call both without a credential.
// Faults don't apply to these routes.
const STATUS_ROUTES: MountedRoutes<StorageDeps> = {
  'GET,HEAD /status': { handler: () => () => new Response(null) },
  'GET,HEAD /version': {
    handler:
      ({ release }) =>
      () =>
        new Response(release),
  },
}

/** Serves `/storage/v1/*` on the single origin, and every path on the storage host. */
export function createStorageApp(deps: StorageDeps): ServiceApp {
  const route = createRouter(
    {
      ...STORAGE_ROUTES,
      ...RESUMABLE_ROUTES,
      ...RESUMABLE_SIDE_ROUTES,
      ...S3_ROUTES,
      ...S3_SIDE_ROUTES,
      ...STATUS_ROUTES,
    },
    routeDeps(deps),
  )
  return {
    answer: async (request, env) => makeInert(await route(request.web, env)),
    renderError: renderStorageError,
    renderUnavailable: renderStorageUnavailable,
    renderInternal: renderStorageInternal,
  }
}

function routeDeps(deps: StorageDeps): StorageRouteDeps {
  const actors = new ActorReader(deps)
  let loading: Promise<TusServer> | undefined
  const load = async (): Promise<TusServer> => {
    const { createTusServer } = await import('./resumable/tus-server.ts')
    return createTusServer(deps)
  }
  return {
    ...deps,
    actors,
    readers: createObjectReaders(deps, actors),
    loadTus: () => {
      loading ??= load()
      return loading
    },
  }
}
