// GET /groups/v1/:group_id: where a group stands, for the vendor's backend (docs/wire/platform.md#group-overview).
import { authenticateGroup } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { findSource } from '../template-access.ts'
import { groupOverviewToWire } from '../wire.ts'
import { pathParam, presented, type RouteTable } from './route-table.ts'

export function groupOverviewRoutes(deps: ControlDeps): RouteTable {
  const { stores, schemas } = deps
  return {
    '/groups/v1/:group_id': {
      GET: async (context) => {
        const groupId = pathParam(context, 'group_id')
        const group = await authenticateGroup(deps, presented(context), groupId)
        const template = stores.projects.findProject(group.templateProjectId)
        const isKept = template?.state === 'active' || template?.state === 'deleted'
        return context.json(
          groupOverviewToWire({
            group,
            template,
            counts: isKept ? await schemas.counts(template.schemaName) : undefined,
            source: findSource(stores, group),
            total: stores.tenants.countActive(group.id),
            onOlderVersion: stores.tenants.countOnOlderTemplate(group.id, group.templateProjectId),
          }),
        )
      },
    },
  }
}
