// Stores tenants. A tenant is what a group's backend records about a customer. The customer's data is in the tenant's project
// (docs/wire/platform.md#tenant).
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import {
  type GroupId,
  type ProjectId,
  type Slug,
  type TenantId,
  trusted,
} from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import type { ProjectState } from '../../../platform/projects/project.ts'

export interface Tenant {
  readonly id: TenantId
  readonly slug: Slug
  readonly state: ProjectState
  readonly projectId: ProjectId
  readonly groupId: GroupId
  /** The template that the tenant was cloned from. */
  readonly templateProjectId: ProjectId
  readonly externalId: string | undefined
  readonly metadata: JsonObject
  readonly createdAt: EpochMillis
}

interface TenantDraft {
  readonly projectId: ProjectId
  readonly groupId: GroupId
  readonly templateProjectId: ProjectId
  readonly externalId: string | undefined
  readonly metadata: JsonObject
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

export interface TenantStore {
  /** Finds a tenant by `ten_` id or by slug, in any state. */
  findTenant(groupId: GroupId, ref: string): Tenant | undefined
  findTenantOfProject(projectId: ProjectId): Tenant | undefined
  /** Lists active tenants, newest first. */
  listTenants(groupId: GroupId, page: Page): readonly Tenant[]
  countActive(groupId: GroupId): number
  /** Counts active tenants and those being created, for quotas and for the deletion of groups. */
  countOccupied(groupId: GroupId): number
  /** Counts active tenants that were cloned from an earlier version of the template than `templateProjectId`. */
  countOnOlderTemplate(groupId: GroupId, templateProjectId: ProjectId): number
  /** Adds the tenant of a project reserved in the same transaction. Releasing the project also deletes the tenant. */
  addTenant(draft: TenantDraft): Tenant
  /** Clears the caller's data in the record of a purged tenant. */
  blankTenant(projectId: ProjectId): void
}

interface TenantRow {
  readonly id: string
  readonly slug: string
  readonly state: ProjectState
  readonly project_id: string
  readonly group_id: string
  readonly template_project_id: string
  readonly external_id: string | null
  readonly metadata: string
  readonly created_at: number
}

export function createTenantStore(
  db: SystemDb,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
): TenantStore {
  const queries = prepareQueries(db)
  const found = (row: TenantRow | undefined) => (row === undefined ? undefined : tenantOf(row))
  return {
    findTenant: (groupId, ref) =>
      found(queries.byId.get(groupId, ref) ?? queries.bySlug.get(groupId, ref)),
    findTenantOfProject: (projectId) => found(queries.byProject.get(projectId)),
    listTenants: (groupId, page) =>
      queries.active.all(groupId, page.limit, page.offset).map(tenantOf),
    countActive: (groupId) => queries.countActive.get(groupId)?.count ?? 0,
    countOccupied: (groupId) => queries.countOccupied.get(groupId)?.count ?? 0,
    countOnOlderTemplate: (groupId, templateProjectId) =>
      queries.countOlder.get(templateProjectId, groupId)?.count ?? 0,
    addTenant: (draft) => {
      queries.insert.run(
        ids.id('ten_'),
        draft.projectId,
        draft.groupId,
        draft.templateProjectId,
        draft.externalId ?? null,
        JSON.stringify(draft.metadata),
        clock.now(),
      )
      const row = queries.byProject.get(draft.projectId)
      if (row === undefined) throw new TypeError(`project ${draft.projectId} is not reserved`)
      return tenantOf(row)
    },
    blankTenant: (projectId) => {
      queries.blank.run(projectId)
    },
  }
}

function prepareQueries(db: SystemDb) {
  const select = `
    select t.*, p.slug, p.state
    from tenants t join projects p on p.id = t.project_id`
  const count = `
    select count(*) as count
    from tenants t join projects p on p.id = t.project_id`
  return {
    byId: db.prepare<[string, string], TenantRow>(`${select} where t.group_id = ? and t.id = ?`),
    bySlug: db.prepare<[string, string], TenantRow>(
      `${select} where t.group_id = ? and p.slug = ?`,
    ),
    byProject: db.prepare<[string], TenantRow>(`${select} where t.project_id = ?`),
    active: db.prepare<[string, number, number], TenantRow>(
      `${select} where t.group_id = ? and p.state = 'active' order by t.seq desc limit ? offset ?`,
    ),
    countActive: db.prepare<[string], { count: number }>(
      `${count} where t.group_id = ? and p.state = 'active'`,
    ),
    countOccupied: db.prepare<[string], { count: number }>(
      `${count} where t.group_id = ? and p.state in ('active', 'reserved')`,
    ),
    countOlder: db.prepare<[string, string], { count: number }>(
      `${count}
         join projects origin on origin.id = t.template_project_id
         join projects template on template.id = ?
       where t.group_id = ? and p.state = 'active'
         and template.frozen_at is not null and origin.seq < template.seq`,
    ),
    insert: db.prepare<[string, string, string, string, string | null, string, number]>(
      `insert into tenants
         (id, project_id, group_id, template_project_id, external_id, metadata, created_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    blank: db.prepare<[string]>(
      "update tenants set external_id = null, metadata = '{}' where project_id = ?",
    ),
  }
}

function tenantOf(row: TenantRow): Tenant {
  const metadata = parseJson(row.metadata)
  return {
    id: trusted.tenantId(row.id),
    slug: trusted.slug(row.slug),
    state: row.state,
    projectId: trusted.projectId(row.project_id),
    groupId: trusted.groupId(row.group_id),
    templateProjectId: trusted.projectId(row.template_project_id),
    externalId: row.external_id ?? undefined,
    metadata: isJsonObject(metadata) ? metadata : {},
    createdAt: epochMillis(row.created_at),
  }
}
