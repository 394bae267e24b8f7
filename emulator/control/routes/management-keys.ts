// /platform/v1/projects/:id/db/keys and /keys/regenerate: a project's credentials, for its owner (docs/wire/platform.md#management-keys).

import { z } from 'zod'
import { pathParam } from '../../core/mount-routes.ts'
import { notFound } from '../errors.ts'
import { mintManagementKey } from '../mint-management-key.ts'
import { regenerateKeys } from '../regenerate-keys.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { optionalText } from '../shapes.ts'
import { keysToWire, managementKeyToWire, newManagementKeyToWire } from '../wire.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  noContent,
  OWNED_CODES,
  originOf,
  ownerOf,
  reachableProjectOf,
} from './route-table.ts'

const MAX_DAYS = 3_650

/** Shared with the group route that mints the same kind of key. */
export const ManagementKeyShape = z.object({
  label: optionalText,
  expires_in_days: z.int().min(1).max(MAX_DAYS).nullish(),
})

export const MANAGEMENT_KEY_ROUTES: ControlRoutes = {
  'POST /platform/v1/projects/:id/keys/regenerate': {
    operation: 'project.regenerate_keys',
    title: 'Replaces the project keys',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const project = reachableProjectOf(deps, context, await ownerOf(deps, context))
      const { keys, keyVersion } = await regenerateKeys(deps, project.id, originOf(context))
      return context.json({ ...keysToWire(keys), kv: keyVersion })
    },
  },
  'GET,HEAD /platform/v1/projects/:id/db/keys': {
    operation: 'management_key.list',
    title: 'Lists management keys',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const project = reachableProjectOf(deps, context, await ownerOf(deps, context))
      return context.json(
        deps.stores.apiKeys.listManagementKeys(project.id).map(managementKeyToWire),
      )
    },
  },
  'POST /platform/v1/projects/:id/db/keys': {
    operation: 'management_key.create',
    title: 'Creates a management key',
    codes: [...OWNED_CODES, ...BODY_CODES],
    handler: (deps) => async (context) => {
      const project = reachableProjectOf(deps, context, await ownerOf(deps, context))
      const body = await decodeOptionalBody(context.req.raw, ManagementKeyShape)
      return context.json(newManagementKeyToWire(mintManagementKey(deps, project.id, body)), 201)
    },
  },
  'DELETE /platform/v1/projects/:id/db/keys/:key': {
    operation: 'management_key.revoke',
    title: 'Revokes a management key',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const project = reachableProjectOf(deps, context, await ownerOf(deps, context))
      if (!deps.stores.apiKeys.revokeManagementKey(project.id, pathParam(context, 'key')))
        throw notFound('This management key')
      return noContent()
    },
  },
}
