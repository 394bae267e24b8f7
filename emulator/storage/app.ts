// Object storage as one app (docs/wire/storage.md). It refuses by throwing; the edge renders with
// `renderError`.
import type { ServiceApp } from '../core/request-env.ts'
import { createActorReader } from './access/actor.ts'
import type { StorageDeps } from './deps.ts'
import { makeInert } from './downloads/inert-answer.ts'
import { renderStorageError, renderStorageInternal, renderStorageUnavailable } from './errors.ts'
import { bucketRoutes } from './routes/buckets.ts'
import { cacheRoutes } from './routes/cache.ts'
import { listRoutes } from './routes/lists.ts'
import { movingRoutes } from './routes/moving.ts'
import { objectRoutes } from './routes/objects.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { readingRoutes } from './routes/reading.ts'
import { resumableRoutes } from './routes/resumable.ts'
import { createRouter } from './routes/route-table.ts'
import { s3Routes } from './routes/s3.ts'
import { signedUploadRoutes } from './routes/signed-upload.ts'
import { signingRoutes } from './routes/signing.ts'
import { statusRoutes } from './routes/status.ts'

/** Serves `/storage/v1/*` of the single origin and every path of the storage host. */
export function createStorageApp(deps: StorageDeps): ServiceApp {
  const actors = createActorReader(deps)
  const route = createRouter([
    bucketRoutes(deps, actors),
    objectRoutes(deps, actors),
    readingRoutes(deps, actors),
    pictureRoutes(deps, actors),
    resumableRoutes(deps, actors),
    s3Routes(deps),
    listRoutes(deps, actors),
    movingRoutes(deps, actors),
    signingRoutes(deps, actors),
    signedUploadRoutes(deps, actors),
    cacheRoutes(deps, actors),
    statusRoutes(deps),
  ])
  return {
    fetch: async (request, env) => makeInert(await route(request, env)),
    renderError: renderStorageError,
    renderUnavailable: renderStorageUnavailable,
    renderInternal: renderStorageInternal,
  }
}
