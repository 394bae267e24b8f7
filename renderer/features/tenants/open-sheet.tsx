// The sheet that the address asks for: provisioning, the group's keys, or one project.
import type { ReactElement } from 'react'
import type { GroupOverview, PlatformOverview } from '../../../emulator/contract/overview.ts'
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
  if (search.project !== undefined)
    return (
      <ProjectSheet
        key={search.project}
        slug={search.project}
        project={[
          ...overview.groups.flatMap(({ tenants, removed_tenants: removed }) => [
            ...tenants,
            ...removed,
          ]),
          ...overview.projects,
        ].find(({ slug }) => slug === search.project)}
        group={group}
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
