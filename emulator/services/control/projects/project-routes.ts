// Serves /platform/v1/projects, an account's own projects and templates (docs/wire/platform.md#projects).
import { z } from 'zod'
import { type HttpContext, pathParam } from '../../../core/mount-routes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { Owner } from '../accounts/owners.ts'
import type { ControlDeps } from '../deps.ts'
import { decodeBody, nameShape, planShape, slugShape } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  noContent,
  OWNED_CODES,
  originOf,
  ownerOf,
} from '../request/route.ts'
import { takeOffline } from '../tenants/remove-tenant.ts'
import { keysToWire, projectToWire } from '../wire.ts'
import { changeProject, createProject } from './create-project.ts'
import { requireOwnProject } from './project-access.ts'

const ProjectShape = z.object({
  name: nameShape,
  slug: slugShape,
  plan: planShape.nullish(),
})

const ProjectChangesShape = z.object({ name: nameShape.optional(), plan: planShape.optional() })

export const PROJECT_ROUTES: ControlRoutes = {
  'POST /platform/v1/projects': {
    operation: 'project.create',
    title: 'Creates a project',
    codes: ['invalid_slug', 'slug_reservado', 'slug_taken', ...BODY_CODES],
    body: ProjectShape,
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      const body = await decodeBody(context.req.raw, ProjectShape)
      const { project, keys } = await createProject(
        deps,
        owner,
        {
          name: body.name,
          slug: body.slug ?? undefined,
          planTier: body.plan ?? undefined,
        },
        originOf(context),
      )
      context.env.facts.schemaName = project.schemaName
      return context.json({ ...projectToWire(project), ...keysToWire(keys) }, 201)
    },
  },
  'GET,HEAD /platform/v1/projects': {
    operation: 'project.list',
    title: 'Lists projects',
    codes: [],
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      return context.json(deps.stores.projects.listOwned(owner.id).map(projectToWire))
    },
  },
  'GET,HEAD /platform/v1/projects/:id': {
    operation: 'project.read',
    title: 'Reads a project',
    codes: OWNED_CODES,
    handler: (deps) => async (context) =>
      context.json(projectToWire(await ownProject(deps, context))),
  },
  'PATCH /platform/v1/projects/:id': {
    operation: 'project.update',
    title: 'Changes a project',
    codes: [...OWNED_CODES, ...BODY_CODES],
    body: ProjectChangesShape,
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      projectOf(deps, context, owner)
      const { name, plan } = await decodeBody(context.req.raw, ProjectChangesShape)
      // Looks the project up again, because another request can remove or purge it while the body arrives.
      const { id } = projectOf(deps, context, owner)
      const changed = changeProject(deps.stores, id, {
        ...(name === undefined ? {} : { name }),
        ...(plan === undefined ? {} : { planTier: plan }),
      })
      return context.json(projectToWire(changed))
    },
  },
  'DELETE /platform/v1/projects/:id': {
    operation: 'project.delete',
    title: 'Removes a project',
    codes: ['template_protected', ...OWNED_CODES],
    handler: (deps) => async (context) => {
      await deps.lifecycle.leaving(await ownProject(deps, context))
      takeOffline(deps, (await ownProject(deps, context)).id)
      return noContent()
    },
  },
}

async function ownProject(deps: ControlDeps, context: HttpContext): Promise<Project> {
  return projectOf(deps, context, await ownerOf(deps, context))
}

function projectOf({ stores }: ControlDeps, context: HttpContext, owner: Owner): Project {
  const project = requireOwnProject(stores, owner, pathParam(context, 'id'))
  context.env.facts.schemaName = project.schemaName
  return project
}
