// /platform/v1/projects/:id/db/keys and /keys/regenerate: a project's credentials, for its owner (docs/wire/platform.md#management-keys).
import { z } from 'zod'
import { authenticateOwner } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { mintManagementKey } from '../mint-management-key.ts'
import { requireReachableProject } from '../project-access.ts'
import { regenerateKeys } from '../regenerate-keys.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { optionalText } from '../shapes.ts'
import { keysToWire, managementKeyToWire, newManagementKeyToWire } from '../wire.ts'
import {
  type ControlContext,
  noContent,
  occasionOf,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

const MAX_DAYS = 3_650

/** Shared with the group route that mints the same kind of key. */
export const ManagementKeyShape = z.object({
  label: optionalText,
  expires_in_days: z.int().min(1).max(MAX_DAYS).nullish(),
})

export function managementKeyRoutes(deps: ControlDeps): RouteTable {
  const { apiKeys } = deps.stores

  async function ownProject(context: ControlContext) {
    const owner = await authenticateOwner(deps, presented(context))
    const project = requireReachableProject(deps.stores, owner, pathParam(context, 'id'))
    context.env.facts.schemaName = project.schemaName
    return project
  }

  return {
    '/platform/v1/projects/:id/db/keys': {
      GET: async (context) => {
        const project = await ownProject(context)
        return context.json(apiKeys.listManagementKeys(project.id).map(managementKeyToWire))
      },
      POST: async (context) => {
        const project = await ownProject(context)
        const body = await decodeOptionalBody(context.req.raw, ManagementKeyShape)
        return context.json(newManagementKeyToWire(mintManagementKey(deps, project.id, body)), 201)
      },
    },
    '/platform/v1/projects/:id/db/keys/:keyId': {
      DELETE: async (context) => {
        const project = await ownProject(context)
        if (!apiKeys.revokeManagementKey(project.id, pathParam(context, 'keyId')))
          throw notFound('This management key')
        return noContent()
      },
    },
    '/platform/v1/projects/:id/keys/regenerate': {
      POST: async (context) => {
        const project = await ownProject(context)
        const { keys, keyVersion } = await regenerateKeys(deps, project.id, occasionOf(context))
        return context.json({ ...keysToWire(keys), kv: keyVersion })
      },
    },
  }
}
