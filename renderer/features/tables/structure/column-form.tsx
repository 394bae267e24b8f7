// Adds a column, or changes one.
import { type ReactElement, useState } from 'react'
import type { ColumnDraft, StructureEdit } from '../../../../emulator/contract/structure-edits.ts'
import { isWhole, NEW_COLUMN } from './column-draft.ts'
import { ColumnFields } from './column-fields.tsx'
import { EditForm } from './edit-form.tsx'
import type { Edit } from './use-edits.ts'

export function ColumnForm(props: {
  readonly table: string
  /** `undefined` for a new column. */
  readonly before: ColumnDraft | undefined
  readonly isFixed: boolean
  readonly onEdit: Edit
  readonly onCancel: () => void
}): ReactElement {
  const { before, isFixed, onCancel, onEdit, table } = props
  const [draft, setDraft] = useState(before ?? NEW_COLUMN)
  const edit: StructureEdit =
    before === undefined
      ? { kind: 'add_column', table, column: draft }
      : { kind: 'change_column', table, before, after: draft }
  return (
    <EditForm
      label={before === undefined ? 'New column' : `Change ${before.name}`}
      edit={isWhole(draft) ? edit : undefined}
      onEdit={onEdit}
      onCancel={onCancel}
    >
      <ColumnFields draft={draft} isFixed={isFixed} onChange={setDraft} />
    </EditForm>
  )
}
