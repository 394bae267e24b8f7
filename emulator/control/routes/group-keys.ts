// /platform/v1/groups/:id/keys: Group API Keys; the clear text is shown once (docs/wire/platform.md#group-keys).
import { z } from 'zod'
import { authenticateOwner } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { requireOwnGroup } from '../manage-groups.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { optionalText } from '../shapes.ts'
import { keptKeyToWire, newGroupKeyToWire } from '../wire.ts'
import {
  type ControlContext,
  noContent,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

const KeyShape = z.object({ label: optionalText })

export function groupKeyRoutes(deps: ControlDeps): RouteTable {
  const { apiKeys } = deps.stores

  async function ownGroup(context: ControlContext) {
    const owner = await authenticateOwner(deps, presented(context))
    const group = requireOwnGroup(deps.stores, owner, pathParam(context, 'id'))
    context.env.facts.groupId = group.id
    return group
  }

  return {
    '/platform/v1/groups/:id/keys': {
      GET: async (context) => {
        const group = await ownGroup(context)
        return context.json(apiKeys.listGroupKeys(group.id).map(keptKeyToWire))
      },
      POST: async (context) => {
        const group = await ownGroup(context)
        const body = await decodeOptionalBody(context.req.raw, KeyShape)
        const key = apiKeys.mintGroupKey(group.id, body.label ?? undefined)
        return context.json(newGroupKeyToWire(key), 201)
      },
    },
    '/platform/v1/groups/:id/keys/:keyId': {
      DELETE: async (context) => {
        const group = await ownGroup(context)
        if (!apiKeys.revokeGroupKey(group.id, pathParam(context, 'keyId')))
          throw notFound('This Group API Key')
        return noContent()
      },
    },
  }
}
