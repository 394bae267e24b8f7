// The grid of a table's rows. Rows that the identity may not see appear dimmed, with the reason in the last column.
import { type ReactElement, type ReactNode, useMemo, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { parseRowKeyText, rowKeyLabel } from '../../parts/row-key.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataGrid, type GridPicking } from '../../ui/data-grid.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { nextOrder } from './filters.ts'
import { rowGridColumns, TWO_LINE_HEAD, type WriteCell } from './row-grid-columns.tsx'
import { isHidden, type ShownRow } from './shown-rows.ts'
import { type PlacedCell, useUnsavedCells } from './unsaved-cells.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowsGridProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly rows: readonly ShownRow[]
  readonly isEditable: boolean
  /** `undefined` when no rows can be selected. */
  readonly picking: GridPicking<ShownRow> | undefined
  readonly onWrite: WriteCell
  readonly empty: ReactNode
}

export function RowsGrid(props: RowsGridProps): ReactElement {
  const { address, structure, rows, isEditable } = props
  const { tenant, order } = address
  const { as, at, row: openId, show } = address.search
  const { write, why } = useLatest({
    write: props.onWrite,
    why: ({ id }: ShownRow) => address.openRow(id, 'why'),
  })
  const unsaved = useUnsavedCells()
  const sample = useFirstRows(structure, rows)
  const isJudged = address.identity !== null && address.search.at === undefined
  const columns = useMemo(
    () =>
      rowGridColumns({
        tenant,
        structure,
        as,
        at,
        onWrite: isEditable ? write : undefined,
        onWhy: isJudged ? why : undefined,
        unsaved,
        sample,
      }),
    [tenant, structure, as, at, isEditable, isJudged, write, why, unsaved, sample],
  )
  const lost = unsaved.all.filter(({ row }) => !rows.some(({ id }) => id === row))
  const grid = (
    <DataGrid
      label={`Rows of ${structure.name}`}
      name={`${tenant}.${structure.name}`}
      columns={columns}
      rows={rows}
      rowKey={idOf}
      hasCellCursor
      selected={openId}
      // An open sheet follows the cursor, so that the user can compare rows by moving up and down.
      onSelect={(id) => {
        if (openId !== undefined && id !== openId) address.openRow(id, show)
      }}
      onOpen={({ id }) => address.openRow(id, show)}
      shortcuts={{ w: why }}
      {...(props.picking !== undefined && { picking: props.picking })}
      isHidden={isHidden}
      sort={order && { column: order.column, isDescending: order.descending === true }}
      onSort={(column) => address.sortBy(nextOrder(order, column))}
      empty={props.empty}
      headHeight={TWO_LINE_HEAD}
      isFirst
    />
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {lost.map((placed) => (
        <LostCell
          key={`${placed.row} ${placed.column}`}
          placed={placed}
          onDiscard={() => unsaved.forget(placed.row, placed.column)}
        />
      ))}
      {grid}
    </div>
  )
}

/** Shows a value that is not saved and whose row is no longer in the grid, for example because the row was deleted. */
function LostCell(props: {
  readonly placed: PlacedCell
  readonly onDiscard: () => void
}): ReactElement {
  const { row, column, cell } = props.placed
  const label = rowKeyLabel(parseRowKeyText(row) ?? {})
  const value = cell.value ?? 'null'
  return (
    <div role="alert" className="flex items-center gap-3 border-b bg-refused/8 px-4 py-1">
      <p className="min-w-0 truncate">
        Row {label} is no longer in this list. Your value of {column} was not written:{' '}
        <span title={value} className="font-mono">
          {value}
        </span>
      </p>
      <span className="ml-auto flex shrink-0 gap-2">
        <CopyButton text={value} words="Copy value" />
        <Button size="small" tone="quiet" onClick={props.onDiscard}>
          Discard value
        </Button>
      </span>
    </div>
  )
}

function idOf({ id }: ShownRow): string {
  return id
}

const SAMPLED_ROWS = 50

/**
 * Returns the first rows that a table showed. These rows stay the same while the table is open, so that an edit or a filter
 * moves no column.
 */
function useFirstRows({ name }: TableStructure, rows: readonly ShownRow[]): readonly ShownRow[] {
  const [first, setFirst] = useState<{ table: string; rows: readonly ShownRow[] }>()
  const known = first?.table === name ? first.rows : NO_ROWS
  if (known.length > 0 || rows.length === 0) return known
  const sample = rows.slice(0, SAMPLED_ROWS)
  setFirst({ table: name, rows: sample })
  return sample
}

const NO_ROWS: readonly ShownRow[] = []
