// Chooses the group whose tenants a screen shows.
import type { ReactElement } from 'react'
import type { GroupOverview } from '../../emulator/contract/overview.ts'
import { countOf } from '../ui/form-values.ts'
import { Select } from '../ui/select.tsx'

export function GroupChoice(props: {
  readonly groups: readonly GroupOverview[]
  /** The id of the open group, or the value of `none`. */
  readonly open: string
  /** A choice that is not a group. */
  readonly none?: { readonly value: string; readonly label: string }
  readonly onOpen: (id: string) => void
}): ReactElement {
  const { groups, none, open, onOpen } = props
  const options = groups.map(({ id, name, tenants }) => ({
    value: id,
    label: name,
    detail: countOf(tenants.length, 'tenant'),
  }))
  return (
    <Select
      label="Group"
      hasPrefix
      value={open}
      options={none === undefined ? options : [...options, none]}
      onChange={onOpen}
    />
  )
}
