// Chooses the group whose tenants a screen shows.
import type { ReactElement } from 'react'
import type { ProjectList } from '../../emulator/contract/overview.ts'
import { useProjectList } from '../api/info.ts'
import { countOf } from '../ui/form-values.ts'
import { Select } from '../ui/select.tsx'

export function GroupChoice(props: {
  /** The id of the open group, or `none.value` when that choice is open. */
  readonly open: string
  /** An additional choice that is not a group. */
  readonly none?: { readonly value: string; readonly label: string }
  readonly onOpen: (id: string) => void
}): ReactElement {
  const { none, open, onOpen } = props
  const { groups = [], projects = [] } = useProjectList().data ?? {}
  const options = groups.map(({ id, name }) => ({
    value: id,
    label: name,
    detail: countOf(projects.filter((one) => isTenantOf(one, id)).length, 'tenant'),
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

function isTenantOf(
  { group_id: group, kind, state }: ProjectList['projects'][number],
  id: string,
): boolean {
  return group === id && kind === 'tenant' && state === 'active'
}
