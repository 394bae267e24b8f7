// Lists the projects that the user can choose, from GET /info and GET /overview. Pure.
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { PlatformOverview } from '../../emulator/contract/overview.ts'

export interface ProjectChoice {
  /** Identifies the project in the URLs of screens. */
  readonly slug: string
  readonly schemaName: string
  readonly projectId: string | undefined
  readonly kind: 'tenant' | 'template' | 'project'
  readonly groupId: string | undefined
  readonly groupName: string | undefined
}

/** All projects: tenants by group, then templates, then projects without a group. */
export function projectsOf(
  info: ReadyLine,
  overview: PlatformOverview | undefined,
): readonly ProjectChoice[] {
  if (overview === undefined) return fromInfo(info)
  const tenants = overview.groups.flatMap((group) =>
    group.tenants.map((tenant) => ({
      slug: tenant.slug,
      schemaName: tenant.schema_name,
      projectId: tenant.id,
      kind: 'tenant' as const,
      groupId: group.id,
      groupName: group.name,
    })),
  )
  const templates = overview.groups.flatMap(({ id, name, template }) =>
    template === null
      ? []
      : {
          slug: template.slug,
          schemaName: `proj_${template.slug}`,
          projectId: template.project_id,
          kind: 'template' as const,
          groupId: id,
          groupName: name,
        },
  )
  const plain = overview.projects.map((project) => ({
    slug: project.slug,
    schemaName: project.schema_name,
    projectId: project.id,
    kind: 'project' as const,
    groupId: undefined,
    groupName: undefined,
  }))
  return unique([...tenants, ...templates, ...plain])
}

function fromInfo(info: ReadyLine): readonly ProjectChoice[] {
  const tenants = info.groups.flatMap((group) =>
    group.tenants.map((tenant) => ({
      slug: tenant.slug,
      schemaName: tenant.schema_name,
      projectId: tenant.project_id,
      kind: 'tenant' as const,
      groupId: group.id,
      groupName: group.name,
    })),
  )
  const templates = info.groups
    .filter((group) => group.template_project_id !== '')
    .map((group) => ({
      slug: group.template_project_id.replace(/^proj_/, ''),
      schemaName: group.template_project_id,
      projectId: undefined,
      kind: 'template' as const,
      groupId: group.id,
      groupName: group.name,
    }))
  return unique([...tenants, ...templates])
}

// Removes duplicates, because groups may share a template.
function unique(choices: readonly ProjectChoice[]): readonly ProjectChoice[] {
  return [...new Map(choices.map((choice) => [choice.slug, choice])).values()]
}
