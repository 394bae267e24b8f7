// Template publish, on the group's address and on the dashboard's (docs/wire/platform.md#publish).
import { z } from 'zod'
import { authenticateGroup, authenticateOwner } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import type { Group } from '../groups.ts'
import { requireOwnGroup } from '../manage-groups.ts'
import { publishTemplate } from '../publish-template.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { optionalText } from '../shapes.ts'
import { publishedToWire } from '../wire.ts'
import {
  type ControlContext,
  occasionOf,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

const PublishShape = z.object({ name: optionalText, slug: z.unknown().optional() })

export function templateRoutes(deps: ControlDeps): RouteTable {
  async function publish(context: ControlContext, group: Group) {
    const { name, slug } = await decodeOptionalBody(context.req.raw, PublishShape)
    const published = await publishTemplate(
      deps,
      group,
      { name: name ?? undefined, slug: slug ?? undefined },
      occasionOf(context),
    )
    context.env.facts.schemaName = published.template.schemaName
    return context.json(publishedToWire(published), 201)
  }
  return {
    '/groups/v1/:group_id/template/publish': {
      POST: async (context) =>
        publish(
          context,
          await authenticateGroup(deps, presented(context), pathParam(context, 'group_id')),
        ),
    },
    '/platform/v1/groups/:id/template/publish': {
      POST: async (context) => {
        const owner = await authenticateOwner(deps, presented(context))
        const group = requireOwnGroup(deps.stores, owner, pathParam(context, 'id'))
        context.env.facts.groupId = group.id
        return publish(context, group)
      },
    },
  }
}
