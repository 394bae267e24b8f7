// Adds an index or a unique key on columns, in the order in which the user chose the columns.
import { type ReactElement, useState } from 'react'
import { EditForm } from './edit-form.tsx'
import { PickedColumns } from './picked-columns.tsx'
import type { Edit } from './use-edits.ts'

export function ColumnsForm(props: {
  readonly kind: 'add_index' | 'add_unique'
  readonly table: string
  readonly columns: readonly string[]
  readonly onEdit: Edit
  readonly onCancel: () => void
}): ReactElement {
  const { columns, kind, onCancel, onEdit, table } = props
  const [picked, setPicked] = useState<readonly string[]>([])
  return (
    <EditForm
      label={kind === 'add_index' ? 'New index' : 'New unique key'}
      edit={picked.length === 0 ? undefined : { kind, table, columns: picked }}
      onEdit={onEdit}
      onCancel={onCancel}
    >
      <PickedColumns columns={columns} picked={picked} onPick={setPicked} />
    </EditForm>
  )
}
