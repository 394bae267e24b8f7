// Routes of management keys, project keys and Group API Keys (docs/wire/platform.md#management-keys,
// docs/wire/platform.md#group-keys).
import { z } from 'zod'
import { pathParam } from '../../../core/mount-routes.ts'
import { notFound } from '../errors.ts'
import { decodeOptionalBody, optionalText } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  noContent,
  OWNED_CODES,
  originOf,
  ownerOf,
  ownGroupOf,
  presentGroup,
  reachableProjectOf,
} from '../request/route.ts'
import {
  keptKeyToWire,
  keysToWire,
  managementKeyToWire,
  newGroupKeyToWire,
  newManagementKeyToWire,
} from '../wire.ts'
import { type ManagementKeyRequest, mintManagementKey, regenerateKeys } from './issue-keys.ts'

const MAX_DAYS = 3_650

/** The group route that creates management keys also uses this shape. */
export const ManagementKeyShape: z.ZodType<ManagementKeyRequest> = z.object({
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
    body: ManagementKeyShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      reachableProjectOf(deps, context, owner)
      const body = await decodeOptionalBody(context.req.raw, ManagementKeyShape)
      // Looks the project up again, because another request can remove or purge it while the body arrives.
      const { id } = reachableProjectOf(deps, context, owner)
      return context.json(newManagementKeyToWire(mintManagementKey(deps, id, body)), 201)
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

const KeyShape = z.object({ label: optionalText })

export const GROUP_KEY_ROUTES: ControlRoutes = {
  'GET,HEAD /platform/v1/groups/:group/keys': {
    operation: 'group_key.list',
    title: 'Lists Group API Keys',
    codes: ['not_found'],
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      return context.json(deps.stores.apiKeys.listGroupKeys(group.id).map(keptKeyToWire))
    },
  },
  'POST /platform/v1/groups/:group/keys': {
    operation: 'group_key.create',
    title: 'Creates a Group API Key',
    codes: ['not_found', ...BODY_CODES],
    body: KeyShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      const body = await decodeOptionalBody(context.req.raw, KeyShape)
      const { id } = presentGroup(deps, group)
      const key = deps.stores.apiKeys.mintGroupKey(id, body.label ?? undefined)
      return context.json(newGroupKeyToWire(key), 201)
    },
  },
  'DELETE /platform/v1/groups/:group/keys/:key': {
    operation: 'group_key.revoke',
    title: 'Revokes a Group API Key',
    codes: ['not_found'],
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      if (!deps.stores.apiKeys.revokeGroupKey(group.id, pathParam(context, 'key')))
        throw notFound('This Group API Key')
      return noContent()
    },
  },
}
