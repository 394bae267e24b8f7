// /platform/v1/groups: a vendor's groups (docs/wire/platform.md#group).
import { z } from 'zod'
import { authenticateOwner } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import type { Group } from '../groups.ts'
import { changeGroup, createGroup, deleteGroup, requireOwnGroup } from '../manage-groups.ts'
import { decodeBody } from '../request-body.ts'
import { descriptionShape, nameShape } from '../shapes.ts'
import type { ControlStores } from '../stores.ts'
import { findSource } from '../template-access.ts'
import { groupSummaryToWire, groupToWire, keptKeyToWire, templateToWire } from '../wire.ts'
import {
  type ControlContext,
  noContent,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

const GroupShape = z.object({
  name: nameShape,
  description: descriptionShape,
  template_project_id: nameShape,
})

const GroupChangesShape = GroupShape.partial()

export function groupRoutes(deps: ControlDeps): RouteTable {
  const { stores } = deps

  async function ownGroup(context: ControlContext) {
    const owner = await authenticateOwner(deps, presented(context))
    const group = requireOwnGroup(stores, owner, pathParam(context, 'id'))
    context.env.facts.groupId = group.id
    return { owner, group }
  }

  return {
    '/platform/v1/groups': {
      GET: async (context) => {
        const owner = await authenticateOwner(deps, presented(context))
        const groups = stores.groups.listGroups(owner.id)
        return context.json(
          groups.map((group) => groupSummaryToWire(group, stores.tenants.countActive(group.id))),
        )
      },
      POST: async (context) => {
        const owner = await authenticateOwner(deps, presented(context))
        const body = await decodeBody(context.req.raw, GroupShape)
        const group = createGroup(stores, owner, {
          name: body.name,
          description: body.description ?? undefined,
          templateRef: body.template_project_id,
        })
        context.env.facts.groupId = group.id
        return context.json(groupToWire(group, templateOf(stores, group), 0), 201)
      },
    },
    '/platform/v1/groups/:id': {
      GET: async (context) => {
        const { group } = await ownGroup(context)
        return context.json(groupDetail(stores, group))
      },
      PATCH: async (context) => {
        const { owner, group } = await ownGroup(context)
        const body = await decodeBody(context.req.raw, GroupChangesShape)
        const changed = changeGroup(stores, owner, group, {
          name: body.name,
          description: body.description,
          templateRef: body.template_project_id,
        })
        return context.json(groupDetail(stores, changed))
      },
      DELETE: async (context) => {
        const { group } = await ownGroup(context)
        deleteGroup(stores, group)
        return noContent()
      },
    },
  }
}

function templateOf({ projects }: ControlStores, group: Group) {
  return projects.findProject(group.templateProjectId)
}

function groupDetail(stores: ControlStores, group: Group) {
  const template = templateOf(stores, group)
  const source = findSource(stores, group)
  return {
    ...groupToWire(group, template, stores.tenants.countActive(group.id)),
    template: template === undefined ? null : templateToWire(template),
    source: source?.state === 'active' ? templateToWire(source) : null,
    keys: stores.apiKeys.listGroupKeys(group.id).map(keptKeyToWire),
  }
}
