// Which group is open, and what shows where it has no tenants.
import { Building2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/select.tsx'
import { NO_GROUP } from './tenants-search.ts'

export function GroupChoice({
  groups,
  open,
  onOpen,
}: {
  readonly groups: readonly GroupOverview[]
  readonly open: GroupOverview | undefined
  readonly onOpen: (id: string) => void
}): ReactElement {
  return (
    <Select
      label="Group"
      hasPrefix
      value={open?.id ?? NO_GROUP}
      options={[
        ...groups.map(({ id, name, tenants }) => ({
          value: id,
          label: name,
          detail: `${tenants.length} tenants`,
        })),
        { value: NO_GROUP, label: 'Projects without a group' },
      ]}
      onChange={onOpen}
    />
  )
}

export function NoTenants({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  return (
    <EmptyState
      icon={<Building2 aria-hidden="true" />}
      title={isFiltered ? 'No tenant like that' : 'Nothing here yet'}
      {...(isFiltered ? {} : { detail: 'A tenant is provisioned from the group’s template.' })}
    />
  )
}
