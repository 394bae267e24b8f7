// Finds the group that the groups and tenants screen opens for an address. Pure.
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { NO_GROUP, type TenantsSearch } from './tenants-search.ts'

/**
 * Returns the group in the address. An address without a group opens the group of its project, else the first group. `undefined`
 * means projects without a group.
 */
export function openGroup(
  { group, project }: TenantsSearch,
  { groups, projects }: Pick<PlatformOverview, 'groups' | 'projects'>,
): GroupOverview | undefined {
  const named = groups.find(({ id }) => id === group)
  if (group === NO_GROUP || named !== undefined) return named
  const own = groups.find((one) => project !== undefined && hasProject(one, project))
  const isAlone = own === undefined && projects.some(({ slug }) => slug === project)
  return isAlone ? undefined : (own ?? groups[0])
}

/** Whether the group contains the project, as its template, a tenant or a removed tenant. */
export function hasProject(group: GroupOverview, slug: string): boolean {
  return group.template?.slug === slug || tenantsOf(group).some((one) => one.slug === slug)
}

/** The tenants of a group, with the removed ones at the end. */
export function tenantsOf({
  removed_tenants: gone,
  tenants,
}: GroupOverview): readonly ProjectOverview[] {
  return [...tenants, ...gone]
}
