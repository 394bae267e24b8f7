// Renames a table.
import { type ReactElement, useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import { EditForm } from './edit-form.tsx'
import type { Edit } from './use-edits.ts'

export function RenameForm(props: {
  readonly table: string
  readonly onEdit: Edit
  readonly onCancel: () => void
}): ReactElement {
  const { onCancel, onEdit, table } = props
  const [to, setTo] = useState(table)
  return (
    <EditForm
      label={`Rename ${table}`}
      edit={to === '' ? undefined : { kind: 'rename_table', table, to }}
      onEdit={onEdit}
      onCancel={onCancel}
    >
      <TextField label="New name" isMono value={to} onChange={setTo} />
    </EditForm>
  )
}
