// Management: which group a key is for, and what became of the tenant, slug, group or template that a call is about.

import { trusted } from '../../core/names.ts'
import type { Project } from '../../projects/project.ts'
import { TENANT_CEILING } from '../../projects/quotas.ts'
import { broken, type Findings, holds } from './links.ts'
import { bodyOf, type Occasion, type WhyDeps } from './request-case.ts'

export function controlFindings(deps: WhyDeps, occasion: Occasion): Findings {
  const { entry } = occasion
  const find = FINDERS[entry.error_code ?? '']
  return { ...groupFinding(deps, occasion), ...find?.(deps, occasion) }
}

type Finder = (deps: WhyDeps, occasion: Occasion) => Findings

const FINDERS: Readonly<Record<string, Finder>> = {
  forbidden: foreignGroup,
  not_found: missingResource,
  slug_taken: takenSlug,
  group_has_tenants: groupWithTenants,
  tenant_limit_reached: (deps, occasion) =>
    tenantCount(deps, occasion, `the ceiling of every plan is ${TENANT_CEILING}`),
  tenant_quota_exceeded: (deps, occasion) =>
    tenantCount(deps, occasion, 'the template’s free plan includes no more'),
  template_indisponivel: unavailableTemplate,
  fonte_indisponivel: armedSwitch,
  clone_incompleto: armedSwitch,
  internal: armedSwitch,
  template_protected: protectedTemplate,
}

function groupIdOf({ path }: Occasion): string | undefined {
  return /^\/(?:groups\/v1|platform\/v1\/groups)\/([^/]+)/.exec(path)?.[1]
}

function groupFinding({ groups }: WhyDeps, occasion: Occasion): Findings {
  const { group_id: id } = occasion.entry
  const group = id === null ? undefined : groups.findGroup(id)
  return group === undefined
    ? {}
    : { group: holds(group.name, `It acts in the group ${group.name}.`, { group_id: group.id }) }
}

function foreignGroup({ groups }: WhyDeps, occasion: Occasion): Findings {
  const { group_id: own } = occasion.entry
  const asked = groupIdOf(occasion)
  if (own === null || asked === undefined || own === asked) return {}
  const target = groups.findGroup(asked)
  const name = groups.findGroup(own)?.name ?? own
  return {
    group: broken(
      'another group’s key',
      target === undefined
        ? `The key is one of the group ${name}, and there is no group ${asked}.`
        : `The key is one of the group ${name}, and the address names ${target.name}.`,
      { key_group: own, address_group: asked },
    ),
  }
}

function missingResource(deps: WhyDeps, occasion: Occasion): Findings {
  const groupId = groupIdOf(occasion)
  const ref = /\/tenants\/([^/]+)/.exec(occasion.path)?.[1]
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
  deleted: 'it was removed, its data is kept until it is purged.',
  purging: 'its data is being erased.',
  purged: 'its data is gone and its slug stays taken.',
}

function takenSlug({ projects }: WhyDeps, occasion: Occasion): Findings {
  const slug = bodyOf(occasion)?.['slug']
  const holder = typeof slug === 'string' ? projects.findProjectBySlug(slug) : undefined
  if (holder === undefined) return {}
  return {
    resource: broken(
      `${holder.slug} is ${holder.state}`,
      holder.state === 'purged'
        ? `The slug ${holder.slug} belonged to a purged ${holder.kind}: slugs are never given again.`
        : `The slug ${holder.slug} is that of a ${holder.state} ${holder.kind}.`,
      { project_id: holder.id },
    ),
  }
}

function groupWithTenants(deps: WhyDeps, occasion: Occasion): Findings {
  const id = groupIdOf(occasion)
  if (id === undefined) return {}
  const count = deps.tenants.countActive(trusted.groupId(id))
  return { resource: broken(`${count} active tenants`, `The group has ${count} active tenants.`) }
}

function tenantCount(deps: WhyDeps, occasion: Occasion, limit: string): Findings {
  const id = groupIdOf(occasion)
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

function templateOf({ groups, projects }: WhyDeps, groupId: string): Project | undefined {
  const group = groups.findGroup(groupId)
  return group && projects.findProject(group.templateProjectId)
}

function unavailableTemplate(deps: WhyDeps, occasion: Occasion): Findings {
  const template = templateOf(deps, groupIdOf(occasion) ?? '')
  if (template === undefined || template.state === 'active') return armedSwitch(deps, occasion)
  return {
    resource: broken(
      `the template is ${template.state}`,
      `The group’s template ${template.slug} is ${template.state}, and cannot be cloned.`,
    ),
  }
}

// Situations of the hosted platform are armed on the template, its source, or the tenant.
function armedSwitch(deps: WhyDeps, occasion: Occasion): Findings {
  const template = templateOf(deps, groupIdOf(occasion) ?? '')
  const source = template?.sourceProjectId && deps.projects.findProject(template.sourceProjectId)
  for (const project of [template, source, occasion.project]) {
    const [armed] = project ? deps.projects.switches.armed(project.id) : []
    if (project && armed)
      return {
        resource: broken(
          armed,
          `The switch ${armed} is armed on ${project.slug}: the emulator answers as the hosted platform would in that situation.`,
          { switch: armed, project: project.slug },
        ),
      }
  }
  return {}
}

function protectedTemplate({ groups, projects }: WhyDeps, { path }: Occasion): Findings {
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
