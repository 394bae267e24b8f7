// Inserts, changes or deletes a row as the identity of the context bar, so that its fan-out shows beside the form.
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { RowEdit, TableStructure } from '../../../../emulator/contract/tables.ts'
import { useRows, useTableStructure, useTables } from '../../../api/tables.ts'
import { useActingAs } from '../../../parts/acting-as.ts'
import { absenceOnInsert } from '../../../parts/cell-field.tsx'
import { identityLabel } from '../../../parts/identity-text.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { useRowEdits } from '../../../parts/row-edits/use-row-edits.ts'
import { type RowCells, RowForm } from '../../../parts/row-form.tsx'
import {
  filtersOfKey,
  keyOfRow,
  parseRowKeyText,
  type RowKey,
  rowKeyLabel,
  rowKeyText,
} from '../../../parts/row-key.ts'
import { rowInALine } from '../../../parts/row-text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { countOf, plainOptionsOf } from '../../../ui/form-values.ts'
import { Select } from '../../../ui/select.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { changedCells } from './changed-cells.ts'
import { JoinUsers } from './join-users.tsx'

/** Maximum number of rows that the user can choose from. */
const ROWS = 20

export function ChangeRowSheet(props: {
  readonly tenant: string
  /** Tables that a channel subscribes to. Changes of other tables have no fan-out. */
  readonly captured: readonly string[]
  readonly table: string | undefined
  /** Key of the only row to show, in the format of row-key.ts. */
  readonly row: string | undefined
  /** Shows all rows of a table. */
  readonly onTable: (table: string) => void
  readonly onClose: () => void
}): ReactElement {
  const { tenant, captured, onTable, onClose } = props
  const row = parseRowKeyText(props.row)
  const { identity } = useActingAs()
  const { data } = useTables(tenant)
  const names = (data?.tables ?? [])
    .filter(({ is_closed: isClosed, kind }) => kind === 'table' && !isClosed)
    .map(({ name }) => name)
  const table = props.table ?? captured.find((name) => names.includes(name)) ?? names[0]
  const structure = useTableStructure(tenant, table)
  return (
    <Sheet
      name="change-row"
      label="Change a row"
      isBare
      isForm
      width={340}
      title={
        <>
          Change a row{' '}
          <span className="font-normal text-ink-dim">
            as {identity === null ? 'Owner' : identityLabel(identity)}
          </span>
        </>
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 border-b p-4">
        <Select
          label="Table"
          hasPrefix
          value={table ?? null}
          options={plainOptionsOf(names)}
          onChange={onTable}
        />
        {table !== undefined && (
          <>
            {!captured.includes(table) && (
              <p className="text-small text-clock">
                No channel subscribes to {table}, so Realtime sends nothing.
              </p>
            )}
            <JoinUsers key={table} tenant={tenant} table={table} />
          </>
        )}
      </div>
      <Loaded query={structure} what="the table">
        {(loaded) => (
          <Rows
            key={`${loaded.name} ${identity === null ? '' : identityLabel(identity)} ${props.row}`}
            tenant={tenant}
            structure={loaded}
            only={row}
            onAll={() => onTable(loaded.name)}
          />
        )}
      </Loaded>
    </Sheet>
  )
}

/** The open form: a new row, or the cells of an existing one. */
type Open = { readonly kind: 'new' } | { readonly kind: 'row'; readonly cells: RowCells }

interface RowsProps {
  readonly tenant: string
  readonly structure: TableStructure
  /** Key of the only row to show. */
  readonly only: RowKey | undefined
  readonly onAll: () => void
}

function Rows(props: RowsProps): ReactElement {
  const { tenant, structure } = props
  const { identity } = useActingAs()
  const edits = useRowEdits(tenant, structure, identity)
  const [open, setOpen] = useState<Open>()
  const [problem, setProblem] = useState<string>()
  const write = async (edit: RowEdit): Promise<void> => {
    setProblem(undefined)
    const outcome = await edits.write([edit])
    if (outcome.kind === 'done') setOpen(undefined)
    else setProblem(outcome.reason)
  }
  const alert =
    problem === undefined ? undefined : (
      <p role="alert" className="border-t bg-refused/8 px-4 py-2 text-refused">
        {problem}
      </p>
    )
  if (open === undefined)
    return (
      <>
        <RowList
          {...props}
          isBusy={edits.isBusy}
          onOpen={setOpen}
          onDelete={(cells) =>
            void write({ kind: 'delete', key: keyOfRow(cells, structure.columns) })
          }
        />
        {alert}
      </>
    )
  const isNew = open.kind === 'new'
  const initial = isNew ? {} : open.cells
  return (
    <>
      <div className="flex items-center border-b px-4 py-1">
        <span className="min-w-0 truncate font-mono">
          {isNew ? 'New row' : rowKeyLabel(keyOfRow(initial, structure.columns))}
        </span>
        <Button
          tone="quiet"
          className="ml-auto"
          onClick={() => {
            setProblem(undefined)
            setOpen(undefined)
          }}
        >
          Show rows
        </Button>
      </div>
      <RowForm
        columns={structure.columns}
        initial={initial}
        {...(!isNew && { stored: initial })}
        absent={isNew ? absenceOnInsert : () => 'unchanged'}
        action={isNew ? 'Insert row' : 'Update row'}
        isBusy={edits.isBusy}
        note={alert}
        onSubmit={(cells) =>
          void write(
            isNew
              ? { kind: 'insert', row: cells }
              : {
                  kind: 'update',
                  key: keyOfRow(initial, structure.columns),
                  changes: changedCells(initial, cells),
                },
          )
        }
      />
    </>
  )
}

interface RowListProps extends RowsProps {
  readonly isBusy: boolean
  readonly onOpen: (open: Open) => void
  readonly onDelete: (cells: RowCells) => void
}

function RowList(props: RowListProps): ReactElement {
  const { tenant, structure, only, isBusy, onAll, onOpen, onDelete } = props
  const { identity } = useActingAs()
  const filters = only === undefined ? [] : filtersOfKey(only)
  const page = useRows(tenant, structure.name, { identity, filters, limit: ROWS }, true)
  return (
    <Loaded query={page} what="the rows">
      {({ columns, rows, total }) => (
        <div className="flex min-h-0 flex-1 flex-col overflow-auto">
          <div className="flex items-center gap-2 px-4 py-2">
            <span className="text-small text-ink-dim">
              {only !== undefined
                ? `Row ${rowKeyLabel(only)}`
                : total > rows.length
                  ? `The first ${rows.length} of ${countOf(total, 'row')}`
                  : countOf(total, 'row')}
            </span>
            {only !== undefined && (
              <Button tone="quiet" onClick={onAll}>
                Show all rows
              </Button>
            )}
            <Button
              className="ml-auto"
              icon={<Plus />}
              disabled={isBusy}
              onClick={() => onOpen({ kind: 'new' })}
            >
              Insert row
            </Button>
          </div>
          {rows.length === 0 && (
            <EmptyState title="No rows" detail="The identity sees no row of this table." />
          )}
          <ul aria-label={`Rows of ${structure.name}`}>
            {rows.map((values) => {
              const cells = Object.fromEntries(
                columns.map(({ name }, place) => [name, values[place] ?? null]),
              )
              const key = keyOfRow(cells, structure.columns)
              const label = rowKeyLabel(key)
              const text = rowInALine(cells)
              return (
                <li key={rowKeyText(key)} className="flex items-center gap-1 border-t px-4 py-1">
                  <span title={text} className="min-w-0 flex-1 truncate font-mono">
                    {text}
                  </span>
                  <IconButton
                    label={`Edit row ${label}`}
                    size="small"
                    icon={<Pencil />}
                    disabled={isBusy}
                    onClick={() => onOpen({ kind: 'row', cells })}
                  />
                  <IconButton
                    label={`Delete row ${label}`}
                    size="small"
                    icon={<Trash2 />}
                    disabled={isBusy}
                    onClick={() => onDelete(cells)}
                  />
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </Loaded>
  )
}
