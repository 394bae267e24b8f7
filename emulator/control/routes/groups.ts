// /platform/v1/groups: a vendor's groups (docs/wire/platform.md#group).

import { z } from 'zod'
import type { Group } from '../groups.ts'
import { changeGroup, createGroup, deleteGroup } from '../manage-groups.ts'
import { decodeBody } from '../request-body.ts'
import { descriptionShape, nameShape } from '../shapes.ts'
import type { ControlStores } from '../stores.ts'
import { findSource } from '../template-access.ts'
import { groupSummaryToWire, groupToWire, keptKeyToWire, templateToWire } from '../wire.ts'
import { BODY_CODES, type ControlRoutes, noContent, ownerOf, ownGroupOf } from './route-table.ts'

const GroupShape = z.object({
  name: nameShape,
  description: descriptionShape,
  template_project_id: nameShape,
})

const GroupChangesShape = GroupShape.partial()

export const GROUP_ROUTES: ControlRoutes = {
  'POST /platform/v1/groups': {
    operation: 'group.create',
    title: 'Creates a group',
    codes: ['not_found', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      const body = await decodeBody(context.req.raw, GroupShape)
      const group = createGroup(deps.stores, owner, {
        name: body.name,
        description: body.description ?? undefined,
        templateRef: body.template_project_id,
      })
      context.env.facts.groupId = group.id
      return context.json(groupToWire(group, templateOf(deps.stores, group), 0), 201)
    },
  },
  'GET,HEAD /platform/v1/groups': {
    operation: 'group.list',
    title: 'Lists groups',
    codes: [],
    handler: (deps) => async (context) => {
      const owner = await ownerOf(deps, context)
      const groups = deps.stores.groups.listGroups(owner.id)
      return context.json(
        groups.map((group) => groupSummaryToWire(group, deps.stores.tenants.countActive(group.id))),
      )
    },
  },
  'GET,HEAD /platform/v1/groups/:group': {
    operation: 'group.read',
    title: 'Reads a group',
    codes: ['not_found'],
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      return context.json(groupDetail(deps.stores, group))
    },
  },
  'PATCH /platform/v1/groups/:group': {
    operation: 'group.update',
    title: 'Changes a group',
    codes: ['not_found', 'template_indisponivel', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const { owner, group } = await ownGroupOf(deps, context)
      const body = await decodeBody(context.req.raw, GroupChangesShape)
      const changed = changeGroup(deps.stores, owner, group, {
        name: body.name,
        description: body.description,
        templateRef: body.template_project_id,
      })
      return context.json(groupDetail(deps.stores, changed))
    },
  },
  'DELETE /platform/v1/groups/:group': {
    operation: 'group.delete',
    title: 'Deletes a group',
    codes: ['group_has_tenants', 'not_found'],
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      deleteGroup(deps.stores, group)
      return noContent()
    },
  },
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
