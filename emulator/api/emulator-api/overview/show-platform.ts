// Reads groups, templates, tenants and projects from the stores for GET /overview (contract/overview.ts).
import type {
  GroupOverview,
  PlatformOverview,
  ProjectList,
  ProjectOverview,
} from '../../../contract/overview.ts'
import type { OwnerId } from '../../../core/names.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import type { ProjectSizes } from '../../../insight/project-tools/project-sizes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { FREE_PLAN_STORAGE_BYTES, TENANT_CEILING } from '../../../platform/projects/quotas.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import { tenantLimitOf } from '../../../services/control/groups/quota.ts'
import type { ControlStores } from '../../../services/control/stores.ts'
import type { Tenant } from '../../../services/control/tenants/tenants.ts'

export interface PlatformRecords {
  readonly stores: ControlStores
  /** The dashboard account that owns the groups and projects. */
  readonly ownerId: OwnerId
}

/** All projects that the overview includes, except removed ones. */
export function shownProjects({ stores, ownerId }: PlatformRecords): readonly Project[] {
  const tenants = stores.groups.listGroups(ownerId).flatMap((group) => activeTenants(stores, group))
  return [...stores.projects.listOwned(ownerId), ...tenants]
}

/** Lists tenants by group, then templates, then projects without a group. Reads no tenant's database. */
export function listProjects({ stores, ownerId }: PlatformRecords): Omit<ProjectList, 'data_dir'> {
  const groups = stores.groups.listGroups(ownerId).toReversed()
  const own = stores.projects.listOwned(ownerId)
  const shown = (project: Project, group?: Group): ProjectList['projects'][number] => ({
    id: project.id,
    slug: project.slug,
    schema_name: project.schemaName,
    kind: project.kind,
    state: project.state,
    group_id: group?.id ?? null,
  })
  return {
    groups: groups.map(({ id, name }) => ({ id, name })),
    projects: [
      ...groups.flatMap((group) =>
        [
          ...activeTenants(stores, group),
          ...removedTenants(stores, group).flatMap(
            ({ projectId }) => stores.projects.findProject(projectId) ?? [],
          ),
        ].map((project) => shown(project, group)),
      ),
      ...own.map((project) =>
        shown(
          project,
          groups.find((group) => isTemplateOf(stores, group, project)),
        ),
      ),
    ],
  }
}

/** Whether the project is the group's template, or the project that the template was published from. */
function isTemplateOf(
  { projects }: ControlStores,
  { templateProjectId: template }: Group,
  { id }: Project,
): boolean {
  return template === id || projects.findProject(template)?.sourceProjectId === id
}

function activeTenants({ projects, tenants }: ControlStores, group: Group): readonly Project[] {
  return tenants
    .listTenants(group.id, ALL_TENANTS)
    .toReversed()
    .flatMap(({ projectId }) => projects.findProject(projectId) ?? [])
}

const ALL_TENANTS = { limit: 2 * TENANT_CEILING, offset: 0 }

export function showPlatform(
  { stores, ownerId }: PlatformRecords,
  sizes: ProjectSizes,
  lastRequests: ReadonlyMap<string, EpochMillis>,
): Pick<PlatformOverview, 'groups' | 'projects'> {
  const show = (project: Project, tenant?: Tenant, current?: Project): ProjectOverview => ({
    ...identityOf(project),
    external_id: tenant?.externalId ?? null,
    ...versionOfTenant(stores, tenant, current),
    database_bytes: sizes.known(project.schemaName)?.databaseBytes ?? null,
    storage_bytes: sizes.storedBytes(project.schemaName),
    storage_limit_bytes: project.planTier === 'free' ? FREE_PLAN_STORAGE_BYTES : null,
    users: sizes.known(project.schemaName)?.users ?? null,
    last_request_at: instantOrNull(lastRequests.get(project.schemaName)),
  })
  return {
    groups: stores.groups
      .listGroups(ownerId)
      .toReversed()
      .map((group) => showGroup(stores, group, show)),
    projects: stores.projects
      .listOwned(ownerId)
      .filter(
        ({ id, kind }) =>
          kind === 'project' &&
          stores.groups.groupsOfTemplate(id).length === 0 &&
          stores.projects.templateSlugsOf(id).length === 0,
      )
      .map((project) => show(project)),
  }
}

function showGroup(
  { projects, tenants, apiKeys }: ControlStores,
  group: Group,
  show: (project: Project, tenant?: Tenant, current?: Project) => ProjectOverview,
): GroupOverview {
  const template = projects.findProject(group.templateProjectId)
  const showAll = (shown: readonly Tenant[]) =>
    shown.flatMap((tenant) => {
      const project = projects.findProject(tenant.projectId)
      return project === undefined ? [] : [show(project, tenant, template)]
    })
  return {
    id: group.id,
    name: group.name,
    plan_tier: template?.planTier ?? 'free',
    template:
      template === undefined
        ? null
        : { project_id: template.id, slug: template.slug, version: versionOf(template) },
    tenant_limit: template === undefined ? null : tenantLimitOf(template.planTier),
    keys: apiKeys.listGroupKeys(group.id).map(({ id, shownPrefix, createdAt }) => ({
      id,
      prefix: shownPrefix,
      created_at: toIso(createdAt),
      revoked_at: null,
    })),
    tenants: showAll(tenants.listTenants(group.id, ALL_TENANTS).toReversed()),
    removed_tenants: showAll(removedTenants({ projects, tenants }, group)),
  }
}

function removedTenants(
  { projects, tenants }: Pick<ControlStores, 'projects' | 'tenants'>,
  group: Group,
): readonly Tenant[] {
  return (['deleted', 'purging'] as const)
    .flatMap((state) => projects.listInState(state))
    .flatMap(({ id }) => tenants.findTenantOfProject(id) ?? [])
    .filter(({ groupId }) => groupId === group.id)
}

function identityOf(project: Project) {
  return {
    id: project.id,
    slug: project.slug,
    schema_name: project.schemaName,
    name: project.name,
    kind: project.kind,
    state: project.state,
    key_version: project.keyVersion,
    created_at: toIso(project.createdAt),
  }
}

function versionOfTenant(
  { projects }: ControlStores,
  tenant: Tenant | undefined,
  current: Project | undefined,
): Pick<ProjectOverview, 'template_version' | 'is_current'> {
  if (tenant === undefined) return { template_version: null, is_current: null }
  const template = projects.findProject(tenant.templateProjectId)
  return {
    template_version: template === undefined ? null : versionOf(template),
    is_current: tenant.templateProjectId === current?.id,
  }
}

// A template's source is version 1. Published versions are named `<source>_v2`, `_v3`, … (docs/wire/platform.md#publish).
function versionOf({ kind, slug }: Project): number {
  return kind === 'template' ? Number(/_v(\d+)$/.exec(slug)?.[1] ?? 1) : 1
}

function instantOrNull(instant: EpochMillis | undefined): string | null {
  return instant === undefined ? null : toIso(instant)
}
