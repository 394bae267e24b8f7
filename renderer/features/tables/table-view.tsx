// One table: head, filters, grid, and at the right the open row or the row to insert.
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { SheetLayout } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DeleteRows } from './delete-rows.tsx'
import { withoutHiddenRows } from './grid-rows.ts'
import { InsertSheet } from './insert-sheet.tsx'
import { RowSheet } from './row-sheet.tsx'
import { RowsGrid } from './rows-grid.tsx'
import { RowsToolbar } from './rows-toolbar.tsx'
import { TableHead } from './table-head.tsx'
import { Body, Notice } from './table-states.tsx'
import { useGridRows } from './use-grid-rows.ts'
import { useRowEdits } from './use-row-edits.ts'
import type { TablesAddress } from './use-tables-address.ts'

const NOBODY: ReadonlySet<string> = new Set()

export interface TableViewProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
}

export function TableView({ address, structure }: TableViewProps): ReactElement {
  const { tenant, identity, search } = address
  const [isInserting, setInserting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [selected, setSelected] = useState(NOBODY)
  const grid = useGridRows(address, structure)
  const edits = useRowEdits(tenant, structure.name, identity)
  const shown = useMemo(
    () => (search.hidden === 'off' ? withoutHiddenRows(grid.rows ?? []) : (grid.rows ?? [])),
    [grid.rows, search.hidden],
  )
  const openId = search.row
  const open = grid.rows?.find(({ id }) => id === openId)
  const isEditable = structure.kind === 'table' || structure.kind === 'partitioned_table'
  const openWhy = (id: string) => address.openRow(id, 'why')
  const closeInsert = useCallback(() => setInserting(false), [])
  const sheet = isInserting ? (
    <InsertSheet address={address} structure={structure} edits={edits} onClose={closeInsert} />
  ) : openId === undefined ? undefined : (
    <RowSheet
      key={openId}
      address={address}
      structure={structure}
      row={open}
      refusal={edits.refusal}
    />
  )
  return (
    <>
      <TableHead
        address={address}
        structure={structure}
        grid={grid}
        isEditable={isEditable}
        onInsert={() => {
          address.openRow(undefined)
          setInserting(true)
        }}
      />
      <RowsToolbar
        address={address}
        structure={structure}
        grid={grid}
        selected={selected.size}
        onDelete={() => setDeleting(true)}
      />
      <Notice tenant={tenant} grid={grid} />
      <SheetLayout sheet={sheet}>
        <Body grid={grid} isFiltered={address.filters.length > 0} shown={shown.length}>
          <RowsGrid
            address={address}
            structure={structure}
            rows={shown}
            isEditable={isEditable}
            selected={selected}
            onSelected={setSelected}
            onWrite={async (row, column, value) => {
              const changes = { [column]: value }
              const outcome = await edits.write([{ kind: 'update', key: row.key, changes }])
              if (outcome === 'refused') openWhy(row.id)
            }}
          />
        </Body>
      </SheetLayout>
      <DeleteRows
        isOpen={isDeleting}
        table={structure.name}
        count={selected.size}
        isBusy={edits.isBusy}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          const rows = (grid.rows ?? []).filter(({ id }) => selected.has(id))
          const outcome = await edits.write(rows.map(({ key }) => ({ kind: 'delete', key })))
          setDeleting(false)
          if (outcome !== 'failed') setSelected(NOBODY)
          if (outcome === 'done') showToast({ title: `${rows.length} deleted`, tone: 'allowed' })
          const first = rows.find(({ verdict }) => verdict?.allowed === false) ?? rows[0]
          if (outcome === 'refused' && first !== undefined) openWhy(first.id)
        }}
      />
    </>
  )
}
