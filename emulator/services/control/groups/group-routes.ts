// Serves /platform/v1/groups for the owner and GET /groups/v1/:group for the vendor's backend (docs/wire/platform.md#group,
// docs/wire/platform.md#group-overview).
import { z } from 'zod'
import { decodeBody, descriptionShape, nameShape } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  groupOf,
  noContent,
  ownerOf,
  ownGroupOf,
  presentGroup,
} from '../request/route.ts'
import type { ControlStores } from '../stores.ts'
import { findSource } from '../templates/template-access.ts'
import {
  groupOverviewToWire,
  groupSummaryToWire,
  groupToWire,
  keptKeyToWire,
  templateToWire,
} from '../wire.ts'
import type { Group } from './groups.ts'
import { changeGroup, createGroup, deleteGroup } from './manage-groups.ts'

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
    body: GroupShape,
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
    body: GroupChangesShape,
    handler: (deps) => async (context) => {
      const { owner, group } = await ownGroupOf(deps, context)
      const body = await decodeBody(context.req.raw, GroupChangesShape)
      const changed = changeGroup(deps.stores, owner, presentGroup(deps, group), {
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
