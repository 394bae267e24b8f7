// Explains management requests: the key's group, and the state of the tenant, slug, group or template that the request names.
import { trusted } from '../../../core/names.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { TENANT_CEILING } from '../../../platform/projects/quotas.ts'
import {
  bodyOf,
  broken,
  type ChainDeps,
  type Findings,
  holds,
  type RecordedRequest,
} from './recorded-request.ts'

export function controlFindings(deps: ChainDeps, request: RecordedRequest): Findings {
  const { entry } = request
  const find = FINDERS[entry.error_code ?? '']
  return { ...groupFinding(deps, request), ...find?.(deps, request) }
}

type Finder = (deps: ChainDeps, request: RecordedRequest) => Findings

const FINDERS: Readonly<Record<string, Finder>> = {
  forbidden: foreignGroup,
  not_found: missingResource,
  slug_taken: takenSlug,
  group_has_tenants: groupWithTenants,
  tenant_limit_reached: (deps, request) =>
    tenantCount(deps, request, `the limit of every plan is ${TENANT_CEILING}`),
  tenant_quota_exceeded: (deps, request) =>
    tenantCount(deps, request, 'the template’s free plan includes no more'),
  template_indisponivel: unavailableTemplate,
  fonte_indisponivel: armedSwitch,
  clone_incompleto: armedSwitch,
  internal: armedSwitch,
  template_protected: protectedTemplate,
}

function groupIdOf({ path }: RecordedRequest): string | undefined {
  return /^\/(?:groups\/v1|platform\/v1\/groups)\/([^/]+)/.exec(path)?.[1]
}

function groupFinding({ groups }: ChainDeps, request: RecordedRequest): Findings {
  const { group_id: id } = request.entry
  const group = id === null ? undefined : groups.findGroup(id)
  return group === undefined
    ? {}
    : {
        group: holds(group.name, `The key acts in the group ${group.name}.`, {
          group_id: group.id,
        }),
      }
}

function foreignGroup({ groups }: ChainDeps, request: RecordedRequest): Findings {
  const { group_id: own } = request.entry
  const asked = groupIdOf(request)
  if (own === null || asked === undefined || own === asked) return {}
  const target = groups.findGroup(asked)
  const name = groups.findGroup(own)?.name ?? own
  return {
    group: broken(
      'another group’s key',
      target === undefined
        ? `The key belongs to the group ${name}, and the group ${asked} does not exist.`
        : `The key belongs to the group ${name}, and the address names ${target.name}.`,
      { key_group: own, address_group: asked },
    ),
  }
}

function missingResource(deps: ChainDeps, request: RecordedRequest): Findings {
  const groupId = groupIdOf(request)
  const ref = /\/tenants\/([^/]+)/.exec(request.path)?.[1]
  if (groupId === undefined || ref === undefined) return {}
  const tenant = deps.tenants.findTenant(trusted.groupId(groupId), decodeURIComponent(ref))
  if (tenant !== undefined)
    return {
      resource: broken(
        `the tenant is ${tenant.state}`,
        `The tenant ${tenant.slug} is ${tenant.state}: ${STATES[tenant.state] ?? 'it cannot be used.'}`,
      ),
    }
  const elsewhere = deps.projects.findProjectBySlug(ref)
  return {
    resource: broken(
      'no such tenant',
      elsewhere?.kind === 'tenant'
        ? `The tenant ${ref} belongs to another group.`
        : `The group has no tenant ${ref}, and never had one.`,
    ),
  }
}

const STATES: Readonly<Record<string, string>> = {
  deleted: 'it was removed, and its data is kept until it is purged.',
  purging: 'its data is being erased.',
  purged: 'its data is gone, and its slug cannot be used again.',
}

function takenSlug({ projects }: ChainDeps, request: RecordedRequest): Findings {
  const slug = bodyOf(request)?.['slug']
  const holder = typeof slug === 'string' ? projects.findProjectBySlug(slug) : undefined
  if (holder === undefined) return {}
  return {
    resource: broken(
      `${holder.slug} is ${holder.state}`,
      holder.state === 'purged'
        ? `The slug ${holder.slug} belonged to a purged ${holder.kind}: slugs are never reused.`
        : `The slug ${holder.slug} belongs to a ${holder.kind} that is ${holder.state}.`,
      { project_id: holder.id },
    ),
  }
}

function groupWithTenants(deps: ChainDeps, request: RecordedRequest): Findings {
  const id = groupIdOf(request)
  if (id === undefined) return {}
  const count = deps.tenants.countActive(trusted.groupId(id))
  return { resource: broken(`${count} active tenants`, `The group has ${count} active tenants.`) }
}

function tenantCount(deps: ChainDeps, request: RecordedRequest, limit: string): Findings {
  const id = groupIdOf(request)
  if (id === undefined) return {}
  const count = deps.tenants.countActive(trusted.groupId(id))
  const template = templateOf(deps, id)
  return {
    quota: broken(
      `${count} tenants`,
      `The group has ${count} active tenants, and ${limit}.`,
      template === undefined ? {} : { template: template.slug, plan: template.planTier },
    ),
  }
}

function templateOf({ groups, projects }: ChainDeps, groupId: string): Project | undefined {
  const group = groups.findGroup(groupId)
  return group && projects.findProject(group.templateProjectId)
}

function unavailableTemplate(deps: ChainDeps, request: RecordedRequest): Findings {
  const template = templateOf(deps, groupIdOf(request) ?? '')
  if (template === undefined || template.state === 'active') return armedSwitch(deps, request)
  return {
    resource: broken(
      `the template is ${template.state}`,
      `The group’s template ${template.slug} is ${template.state}, so it cannot be cloned.`,
    ),
  }
}

// A switch simulates a situation of the hosted platform. A switch can be armed on the template, the template's source, or the
// tenant.
function armedSwitch(deps: ChainDeps, request: RecordedRequest): Findings {
  const template = templateOf(deps, groupIdOf(request) ?? '')
  const source = template?.sourceProjectId && deps.projects.findProject(template.sourceProjectId)
  for (const project of [template, source, request.project]) {
    const [armed] = project ? deps.projects.switches.armed(project.id) : []
    if (project && armed)
      return {
        resource: broken(
          armed,
          `The simulated response ${armed} is on for ${project.slug}: the emulator answers as the hosted platform would in that situation.`,
          { switch: armed, project: project.slug },
        ),
      }
  }
  return {}
}

function protectedTemplate({ groups, projects }: ChainDeps, { path }: RecordedRequest): Findings {
  const slug = /\/tenants\/([^/]+)/.exec(path)?.[1]
  const project = slug === undefined ? undefined : projects.findProjectBySlug(slug)
  const named = project && groups.groupsOfTemplate(project.id).map(({ name }) => name)
  if (named === undefined || named.length === 0) return {}
  return {
    resource: broken(
      'a group’s template',
      `The project ${slug} is the template of ${named.join(', ')}.`,
    ),
  }
}
