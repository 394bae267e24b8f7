// The projects that the user can choose, from GET /projects. Pure.
import type { ProjectList } from '../../emulator/contract/overview.ts'

export interface ProjectChoice {
  /** Identifies the project in the URLs of screens. */
  readonly slug: string
  readonly schemaName: string
  readonly projectId: string
  readonly kind: 'tenant' | 'template' | 'project'
  readonly groupName: string | undefined
}

/** Tenants by group, then templates, then projects without a group. Removed tenants and replaced templates are left out. */
export function projectsOf({ groups, projects }: ProjectList): readonly ProjectChoice[] {
  const choices = projects
    .filter(
      ({ kind, state, group_id: group }) =>
        state === 'active' && !(kind === 'template' && group === null),
    )
    .map(({ id, slug, schema_name: schemaName, kind, group_id: groupId }) => ({
      slug,
      schemaName,
      projectId: id,
      kind: kind === 'project' && groupId !== null ? ('template' as const) : kind,
      groupName: groups.find((group) => group.id === groupId)?.name,
    }))
  return KINDS.flatMap((kind) => choices.filter((choice) => choice.kind === kind))
}

const KINDS = ['tenant', 'template', 'project'] as const
