// Routes of /platform/v1/projects/:id/buckets. The routes use short bucket names, as the dashboard does
// (docs/wire/platform.md#buckets).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import {
  PLATFORM_BUCKET_LIMIT,
  PLATFORM_BUCKET_LIMIT_BYTES,
} from '../../../platform/projects/quotas.ts'
import type { ControlDeps } from '../deps.ts'
import { invalidRequest, ManagementError } from '../errors.ts'
import { authenticateProjectCaller } from '../request/authenticate.ts'
import { decodeBody, textShape } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  OWNED_CODES,
  presented,
  reachableProjectOf,
} from '../request/route.ts'
import { bucketToWire } from '../wire.ts'

const BucketShape = z.object({
  name: textShape(100),
  public: z.boolean().nullish(),
  file_size_limit: z.int().min(1).nullish(),
})

export const BUCKET_ROUTES: ControlRoutes = {
  'GET,HEAD /platform/v1/projects/:id/buckets': {
    operation: 'bucket.list',
    title: 'Lists buckets',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const buckets = await deps.buckets.list(await projectOf(deps, context))
      return context.json(buckets.map(bucketToWire))
    },
  },
  'POST /platform/v1/projects/:id/buckets': {
    operation: 'bucket.create',
    title: `Creates a bucket of ${PLATFORM_BUCKET_LIMIT}`,
    codes: ['bucket_taken', ...OWNED_CODES, ...BODY_CODES],
    body: BucketShape,
    handler: (deps) => async (context) => {
      const caller = await authenticateProjectCaller(deps, presented(context))
      reachableProjectOf(deps, context, caller)
      const body = await decodeBody(context.req.raw, BucketShape)
      // Looks the project up again, because another request can remove or purge it while the body arrives.
      const project = reachableProjectOf(deps, context, caller)
      const creation = await deps.buckets.create(project, {
        shortName: body.name,
        isPublic: body.public ?? false,
        fileSizeLimit: body.file_size_limit ?? PLATFORM_BUCKET_LIMIT_BYTES,
      })
      switch (creation.kind) {
        case 'created':
          return context.json(bucketToWire(creation.bucket), 201)
        case 'nameTaken':
          throw new ManagementError('bucket_taken', `The bucket ${body.name} already exists.`)
        case 'nameRefused':
          throw invalidRequest({ name: creation.problem })
      }
    },
  },
}

async function projectOf(deps: ControlDeps, context: HttpContext): Promise<Project> {
  const caller = await authenticateProjectCaller(deps, presented(context))
  return reachableProjectOf(deps, context, caller)
}
