// GET /groups/v1/:group_id: where a group stands, for the vendor's backend (docs/wire/platform.md#group-overview).

import { findSource } from '../template-access.ts'
import { groupOverviewToWire } from '../wire.ts'
import { type ControlRoutes, groupOf } from './route-table.ts'

export const GROUP_OVERVIEW_ROUTES: ControlRoutes = {
  'GET,HEAD /groups/v1/:group': {
    operation: 'group.overview',
    title: 'Reads the state of a group',
    codes: ['forbidden'],
    handler: (deps) => async (context) => {
      const { stores, schemas } = deps
      const group = await groupOf(deps, context)
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
