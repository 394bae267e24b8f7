// Adds a foreign key from a column to the key of another table.
import { type ReactElement, useState } from 'react'
import { ON_DELETE, type OnDelete } from '../../../../emulator/contract/structure-edits.ts'
import { useTableStructure, useTables } from '../../../api/tables.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { FormField } from '../../../ui/form.tsx'
import { plainOptionsOf } from '../../../ui/form-values.ts'
import { Select } from '../../../ui/select.tsx'
import { EditForm } from './edit-form.tsx'
import type { Edit } from './use-edits.ts'

export function ForeignKeyForm(props: {
  readonly tenant: string
  readonly table: string
  readonly columns: readonly string[]
  readonly onEdit: Edit
  readonly onCancel: () => void
}): ReactElement {
  const { columns, onCancel, onEdit, table, tenant } = props
  const [column, setColumn] = useState<string | null>(null)
  const [target, setTarget] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [onDelete, setOnDelete] = useState<OnDelete>('no action')
  const tables = useTables(tenant).data?.tables ?? []
  const found = useTableStructure(tenant, target ?? undefined).data?.columns ?? []
  const targetColumn = chosen ?? found.find((one) => one.is_key)?.name ?? null
  return (
    <EditForm
      label="New foreign key"
      edit={
        column === null || target === null || targetColumn === null
          ? undefined
          : {
              kind: 'add_foreign_key',
              table,
              columns: [column],
              target,
              targetColumns: [targetColumn],
              onDelete,
            }
      }
      onEdit={onEdit}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-2 gap-3">
        <FormField label="Column">
          <Combobox
            label="Column"
            isMono
            value={column}
            options={plainOptionsOf(columns)}
            onChange={setColumn}
          />
        </FormField>
        <FormField label="References">
          <Combobox
            label="References"
            isMono
            value={target}
            options={plainOptionsOf(
              tables.filter(({ kind }) => !kind.endsWith('view')).map(({ name }) => name),
            )}
            onChange={(next) => {
              setTarget(next)
              setChosen(null)
            }}
          />
        </FormField>
        <FormField label="Referenced column">
          <Combobox
            label="Referenced column"
            isMono
            isDisabled={target === null}
            value={targetColumn}
            options={plainOptionsOf(found.map(({ name }) => name))}
            onChange={setChosen}
          />
        </FormField>
        <FormField label="On delete">
          <Select
            label="On delete"
            value={onDelete}
            options={plainOptionsOf(ON_DELETE)}
            onChange={setOnDelete}
          />
        </FormField>
      </div>
    </EditForm>
  )
}
