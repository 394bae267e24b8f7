// /platform/v1/groups/:id/keys: Group API Keys; the clear text is shown once (docs/wire/platform.md#group-keys).

import { z } from 'zod'
import { pathParam } from '../../core/mount-routes.ts'
import { notFound } from '../errors.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { optionalText } from '../shapes.ts'
import { keptKeyToWire, newGroupKeyToWire } from '../wire.ts'
import { BODY_CODES, type ControlRoutes, noContent, ownGroupOf } from './route-table.ts'

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
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      const body = await decodeOptionalBody(context.req.raw, KeyShape)
      const key = deps.stores.apiKeys.mintGroupKey(group.id, body.label ?? undefined)
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
