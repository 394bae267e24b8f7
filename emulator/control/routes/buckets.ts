// /platform/v1/projects/:id/buckets: buckets by their short name, as the dashboard makes them (docs/wire/platform.md#buckets).
import { z } from 'zod'
import { authenticateProjectCaller } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { invalidRequest, ManagementError } from '../errors.ts'
import { PLATFORM_BUCKET_LIMIT_BYTES } from '../platform-buckets.ts'
import { requireReachableProject } from '../project-access.ts'
import { decodeBody } from '../request-body.ts'
import { textShape } from '../shapes.ts'
import { bucketToWire } from '../wire.ts'
import { type ControlContext, pathParam, presented, type RouteTable } from './route-table.ts'

const BucketShape = z.object({
  name: textShape(100),
  public: z.boolean().nullish(),
  file_size_limit: z.int().min(1).nullish(),
})

export function bucketRoutes(deps: ControlDeps): RouteTable {
  async function projectOf(context: ControlContext) {
    const caller = await authenticateProjectCaller(deps, presented(context))
    const project = requireReachableProject(deps.stores, caller, pathParam(context, 'id'))
    context.env.facts.schemaName = project.schemaName
    return project
  }
  return {
    '/platform/v1/projects/:id/buckets': {
      GET: async (context) => {
        const buckets = await deps.buckets.list(await projectOf(context))
        return context.json(buckets.map(bucketToWire))
      },
      POST: async (context) => {
        const project = await projectOf(context)
        const body = await decodeBody(context.req.raw, BucketShape)
        const creation = await deps.buckets.create(project, {
          shortName: body.name,
          isPublic: body.public ?? false,
          fileSizeLimit: body.file_size_limit ?? PLATFORM_BUCKET_LIMIT_BYTES,
        })
        switch (creation.kind) {
          case 'created':
            return context.json(bucketToWire(creation.bucket), 201)
          case 'nameTaken':
            throw new ManagementError('bucket_taken', `The bucket ${body.name} exists already.`)
          case 'nameRefused':
            throw invalidRequest({ name: creation.problem })
        }
      },
    },
  }
}
