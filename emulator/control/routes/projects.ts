// /platform/v1/projects: an account's own projects and templates (docs/wire/platform.md#projects).
import { z } from 'zod'
import { authenticateOwner } from '../authenticate.ts'
import { changeProject } from '../change-project.ts'
import { createProject } from '../create-project.ts'
import type { ControlDeps } from '../deps.ts'
import { requireOwnProject } from '../project-access.ts'
import { takeOffline } from '../remove-tenant.ts'
import { decodeBody } from '../request-body.ts'
import { nameShape, planShape } from '../shapes.ts'
import { keysToWire, projectToWire } from '../wire.ts'
import {
  type ControlContext,
  noContent,
  occasionOf,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

const ProjectShape = z.object({
  name: nameShape,
  slug: z.unknown().optional(),
  plan: planShape.nullish(),
})

const ProjectChangesShape = z.object({ name: nameShape.optional(), plan: planShape.optional() })

export function projectRoutes(deps: ControlDeps): RouteTable {
  const { stores } = deps

  async function ownProject(context: ControlContext) {
    const owner = await authenticateOwner(deps, presented(context))
    const project = requireOwnProject(stores, owner, pathParam(context, 'id'))
    context.env.facts.schemaName = project.schemaName
    return project
  }

  return {
    '/platform/v1/projects': {
      GET: async (context) => {
        const owner = await authenticateOwner(deps, presented(context))
        return context.json(stores.projects.listOwned(owner.id).map(projectToWire))
      },
      POST: async (context) => {
        const owner = await authenticateOwner(deps, presented(context))
        const body = await decodeBody(context.req.raw, ProjectShape)
        const { project, keys } = await createProject(
          deps,
          owner,
          {
            name: body.name,
            slug: body.slug ?? undefined,
            planTier: body.plan ?? undefined,
          },
          occasionOf(context),
        )
        context.env.facts.schemaName = project.schemaName
        return context.json({ ...projectToWire(project), ...keysToWire(keys) }, 201)
      },
    },
    '/platform/v1/projects/:id': {
      GET: async (context) => context.json(projectToWire(await ownProject(context))),
      PATCH: async (context) => {
        const project = await ownProject(context)
        const { name, plan } = await decodeBody(context.req.raw, ProjectChangesShape)
        const changed = changeProject(stores, project.id, {
          ...(name === undefined ? {} : { name }),
          ...(plan === undefined ? {} : { planTier: plan }),
        })
        return context.json(projectToWire(changed))
      },
      DELETE: async (context) => {
        const project = await ownProject(context)
        takeOffline(deps, project.id)
        return noContent()
      },
    },
  }
}
