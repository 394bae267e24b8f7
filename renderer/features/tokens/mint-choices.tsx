// Of which project and for whom a credential is minted.
import type { ReactElement } from 'react'
import { useIdentities } from '../../api/explain.ts'
import { useProjects } from '../../api/info.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function ProjectChoice({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (slug: string) => void
}): ReactElement {
  const { data: projects = [] } = useProjects()
  return (
    <Combobox
      label="Project"
      hasPrefix
      value={value === '' ? null : value}
      placeholder="Choose a project"
      options={projects.map(({ slug, kind, groupName }) => ({
        value: slug,
        label: slug,
        detail: kind,
        group: groupName,
      }))}
      onChange={onChange}
    />
  )
}

export function UserChoice({
  project,
  value,
  onChange,
}: {
  readonly project: string
  readonly value: string
  readonly onChange: (user: string) => void
}): ReactElement {
  const { data } = useIdentities(project)
  const people = (data?.identities ?? []).flatMap(({ reference, label }) =>
    reference.kind === 'user' ? [{ value: label, label }] : [],
  )
  return (
    <div className="flex flex-col gap-2">
      <Combobox
        label="User"
        hasPrefix
        placeholder="choose one"
        value={people.some((person) => person.value === value) ? value : null}
        options={people}
        onChange={onChange}
      />
      <TextField
        label="or an id or e-mail address; a new id when empty"
        isMono
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
