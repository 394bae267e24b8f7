// Stores groups. A group is a vendor's product line with one template project (docs/wire/platform.md#group).
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { type GroupId, type OwnerId, type ProjectId, trusted } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'

export interface Group {
  readonly id: GroupId
  /** The slug is derived from the name when the group is created. Several groups can have the same slug. */
  readonly slug: string
  readonly name: string
  readonly description: string | undefined
  readonly ownerId: OwnerId
  readonly templateProjectId: ProjectId
  readonly createdAt: EpochMillis
}

interface GroupDraft {
  readonly slug: string
  readonly name: string
  readonly description: string | undefined
  readonly ownerId: OwnerId
  readonly templateProjectId: ProjectId
}

export interface GroupStore {
  findGroup(id: string): Group | undefined
  /** Newest first. */
  listGroups(ownerId: OwnerId): readonly Group[]
  /** Lists the groups that use the project as their template. */
  groupsOfTemplate(projectId: ProjectId): readonly Group[]
  addGroup(draft: GroupDraft): Group
  /** Stores the name, description and template of a group. */
  saveGroup(group: Group): void
  /** Deletes the group and its Group API Keys. */
  eraseGroup(id: GroupId): void
}

interface GroupRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly owner_id: string
  readonly template_project_id: string
  readonly created_at: number
}

export function createGroupStore(
  db: SystemDb,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
): GroupStore {
  const byId = db.prepare<[string], GroupRow>('select * from groups where id = ?')
  const byOwner = db.prepare<[string], GroupRow>(
    'select * from groups where owner_id = ? order by seq desc',
  )
  const byTemplate = db.prepare<[string], GroupRow>(
    'select * from groups where template_project_id = ? order by seq',
  )
  const insert = db.prepare<[string, string, string, string | null, string, string, number]>(
    `insert into groups (id, slug, name, description, owner_id, template_project_id, created_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const save = db.prepare<[string, string | null, string, string]>(
    'update groups set name = ?, description = ?, template_project_id = ? where id = ?',
  )
  const erase = db.prepare<[string]>('delete from groups where id = ?')
  return {
    findGroup: (id) => {
      const row = byId.get(id)
      return row === undefined ? undefined : groupOf(row)
    },
    listGroups: (ownerId) => byOwner.all(ownerId).map(groupOf),
    groupsOfTemplate: (projectId) => byTemplate.all(projectId).map(groupOf),
    addGroup: (draft) => {
      const group = { ...draft, id: trusted.groupId(ids.id('grp_')), createdAt: clock.now() }
      const { id, slug, name, ownerId, templateProjectId } = group
      const description = draft.description ?? null
      insert.run(id, slug, name, description, ownerId, templateProjectId, group.createdAt)
      return group
    },
    saveGroup: (group) => {
      save.run(group.name, group.description ?? null, group.templateProjectId, group.id)
    },
    eraseGroup: (id) => {
      erase.run(id)
    },
  }
}

function groupOf(row: GroupRow): Group {
  return {
    id: trusted.groupId(row.id),
    slug: row.slug,
    name: row.name,
    description: row.description ?? undefined,
    ownerId: trusted.ownerId(row.owner_id),
    templateProjectId: trusted.projectId(row.template_project_id),
    createdAt: epochMillis(row.created_at),
  }
}
