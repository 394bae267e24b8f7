// The sheet that the address asks for: provisioning, the group's keys, or one project.
import type { ReactElement } from 'react'
import type {
  GroupOverview,
  PlatformOverview,
  ProjectOverview,
} from '../../../emulator/contract/overview.ts'
import { GroupKeysSheet } from './group-keys-sheet.tsx'
import { ProjectSheet } from './project-sheet.tsx'
import { ProvisionSheet } from './provision-sheet.tsx'
import { type TenantsSearch, withoutSheet } from './tenants-search.ts'

export interface OpenSheetProps {
  readonly overview: PlatformOverview
  readonly group: GroupOverview | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
  readonly onClose: () => void
}

export function OpenSheet(props: OpenSheetProps): ReactElement | undefined {
  const { overview, group, search, onSearch, onClose } = props
  const { project: slug } = search
  if (slug !== undefined)
    return (
      <ProjectSheet
        key={slug}
        slug={slug}
        project={[...overview.groups.flatMap(tenantsOf), ...overview.projects].find(
          (one) => one.slug === slug,
        )}
        group={overview.groups.find((one) => isOf(slug, one)) ?? group}
        search={search}
        onSearch={onSearch}
        onClose={onClose}
      />
    )
  if (group === undefined) return undefined
  if (search.sheet === 'provision')
    return (
      <ProvisionSheet
        group={group}
        onOpen={(slug) => onSearch({ ...withoutSheet(search), project: slug })}
        onClose={onClose}
      />
    )
  if (search.sheet === 'keys') return <GroupKeysSheet group={group} onClose={onClose} />
  return undefined
}

function tenantsOf({ tenants, removed_tenants: gone }: GroupOverview): readonly ProjectOverview[] {
  return [...tenants, ...gone]
}

// The open group need not be the one of the project that the address names.
function isOf(slug: string, group: GroupOverview): boolean {
  return group.template?.slug === slug || tenantsOf(group).some((one) => one.slug === slug)
}
