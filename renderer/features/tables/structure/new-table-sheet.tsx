// Creates a table: its columns, its primary key and row-level security.
import { Plus, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ColumnDraft, StructureEdit } from '../../../../emulator/contract/structure-edits.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { isWhole, NEW_COLUMN } from './column-draft.ts'
import { ColumnFields } from './column-fields.tsx'
import { EditForm } from './edit-form.tsx'
import { useEdits } from './use-edits.ts'

/** A column of the new table, with the id of its list item. */
interface Row {
  readonly id: number
  readonly draft: ColumnDraft
  readonly isKey: boolean
}

const ID: ColumnDraft = {
  name: 'id',
  type: 'uuid',
  isNullable: false,
  default: { kind: 'expression', sql: 'gen_random_uuid()' },
}

export function NewTableSheet(props: {
  readonly tenant: string
  readonly onClose: () => void
}): ReactElement {
  const { onClose, tenant } = props
  const edit = useEdits(tenant)
  const [table, setTable] = useState('')
  const [rows, setRows] = useState<readonly Row[]>([{ id: 0, draft: ID, isKey: true }])
  const [hasRowSecurity, setRowSecurity] = useState(true)
  const put = (row: Row) => setRows(rows.map((one) => (one.id === row.id ? row : one)))
  const isReady = table !== '' && rows.length > 0 && rows.every(({ draft }) => isWhole(draft))
  const order: StructureEdit = {
    kind: 'create_table',
    table,
    columns: rows.map(({ draft }) => draft),
    key: rows.filter(({ isKey }) => isKey).map(({ draft }) => draft.name),
    hasRowSecurity,
  }
  return (
    <Sheet name="structure" width={560} label="New table" title="New table" onClose={onClose}>
      <EditForm
        label="Create table"
        edit={isReady ? order : undefined}
        onEdit={edit}
        onCancel={onClose}
      >
        <TextField label="Table" isMono value={table} placeholder="reviews" onChange={setTable} />
        {rows.map((row) => (
          <fieldset key={row.id} className="flex min-w-0 flex-col gap-2 border-t pt-2">
            <legend className="sr-only">{row.draft.name || 'New column'}</legend>
            <ColumnFields draft={row.draft} onChange={(draft) => put({ ...row, draft })} />
            <div className="flex items-center gap-4">
              <Checkbox
                label="Primary key"
                isChecked={row.isKey}
                onChange={(isKey) => put({ ...row, isKey })}
              />
              <IconButton
                className="ml-auto"
                size="small"
                label={`Remove ${row.draft.name || 'column'}`}
                icon={<Trash2 />}
                onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
              />
            </div>
          </fieldset>
        ))}
        <div>
          <Button
            size="small"
            icon={<Plus />}
            onClick={() => {
              const id = Math.max(-1, ...rows.map((one) => one.id)) + 1
              setRows([...rows, { id, draft: NEW_COLUMN, isKey: false }])
            }}
          >
            Add column
          </Button>
        </div>
        <Checkbox
          label="Enable row-level security, so that only a policy shows rows"
          isChecked={hasRowSecurity}
          onChange={setRowSecurity}
        />
      </EditForm>
    </Sheet>
  )
}
