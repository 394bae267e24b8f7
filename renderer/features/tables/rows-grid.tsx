// The grid of a table's rows: only rows in view exist; the keyboard moves from cell to cell; hidden rows stay in their place.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { type Cursor, clampCursor, moveCursor } from '../../parts/grid-cursor.ts'
import { useLatest } from '../../parts/use-latest.ts'
import { isTyping } from '../../ui/keyboard.ts'
import { useRemembered } from '../../ui/remembered.ts'
import { clampWidth, columnWidths } from './column-widths.ts'
import { GridBody } from './grid-body.tsx'
import { GridHead } from './grid-head.tsx'
import type { GridRow } from './grid-rows.ts'
import { cellId, GUTTER_WIDTH, ROW_HEIGHT } from './grid-sizes.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowsGridProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly rows: readonly GridRow[]
  readonly isEditable: boolean
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
  /** Resolves when the cell may be left. */
  readonly onWrite: (row: GridRow, column: string, value: string | null) => Promise<void>
}

export function RowsGrid(props: RowsGridProps): ReactElement {
  const { address, structure, rows, selected, onSelected } = props
  const { columns } = structure
  const scroller = useRef<HTMLDivElement>(null)
  const [kept, setKept] = useRemembered<Readonly<Record<string, number>>>(
    `columns.${address.tenant}.${structure.name}`,
    {},
  )
  const widths = useMemo(() => columnWidths(columns, kept), [columns, kept])
  const template = [GUTTER_WIDTH, ...columns.map(({ name }) => widths[name] ?? 0)]
    .map((width) => `${width}px`)
    .concat('minmax(24px,1fr)')
    .join(' ')
  const [place, setPlace] = useState<Cursor>({ row: 0, column: 0 })
  const [isEditing, setEditing] = useState(false)
  const cursor = clampCursor(place, { rows: rows.length, columns: columns.length })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
    scrollPaddingStart: ROW_HEIGHT + 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const openId = address.search.row
  useEffect(() => {
    scroller.current?.focus({ preventScroll: true })
  }, [])

  const moveTo = (next: Cursor) => {
    setPlace(next)
    setEditing(false)
    virtual.scrollToIndex(next.row, { align: 'auto' })
    const row = rows[next.row]
    // The sheet follows the cursor, so that rows can be compared by moving.
    if (openId !== undefined && row !== undefined && row.id !== openId)
      address.openRow(row.id, address.search.show)
  }
  const actions = useLatest({
    place: (next: Cursor, rowId: string) => {
      setPlace(next)
      if (openId !== undefined) address.openRow(rowId, address.search.show)
    },
    edit: (next: Cursor) => {
      setPlace(next)
      setEditing(props.isEditable)
    },
    leave: () => {
      setEditing(false)
      scroller.current?.focus({ preventScroll: true })
    },
    toggle: (id: string) => onSelected(toggled(selected, id)),
    why: (id: string) => address.openRow(id, 'why'),
    write: props.onWrite,
    sort: address.sortBy,
    widen: (column: string, width: number) => setKept({ ...kept, [column]: clampWidth(width) }),
    selectAll: (isAll: boolean) => onSelected(new Set(isAll ? rows.map(({ id }) => id) : [])),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.altKey) return
    const row = rows[cursor.row]
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2)
    const size = { rows: rows.length, columns: columns.length, page }
    const next = moveCursor(cursor, event.key, size, event.ctrlKey || event.metaKey)
    if (next !== undefined) moveTo(next)
    else if (row === undefined || event.ctrlKey || event.metaKey) return
    else if (event.key === 'Enter') address.openRow(row.id, address.search.show)
    else if (event.key === 'w') address.openRow(row.id, 'why')
    else if (event.key === ' ') onSelected(toggled(selected, row.id))
    else if (event.key === 'F2' || event.key === 'e') setEditing(props.isEditable)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={`Rows of ${structure.name}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={rows.length === 0 ? undefined : cellId(cursor)}
      onKeyDown={onKeyDown}
      className="group/grid @container relative min-h-0 min-w-0 flex-1 overflow-auto bg-surface-0 outline-none"
    >
      <GridHead
        columns={columns}
        foreignKeys={structure.foreign_keys}
        template={template}
        order={address.order}
        widths={widths}
        isAllSelected={rows.length > 0 && selected.size === rows.length}
        isSomeSelected={selected.size > 0}
        onSort={actions.sort}
        onWidth={actions.widen}
        onSelectAll={actions.selectAll}
      />
      <GridBody
        tenant={address.tenant}
        as={address.search.as}
        structure={structure}
        rows={rows}
        selected={selected}
        openId={openId}
        items={virtual.getVirtualItems()}
        height={virtual.getTotalSize()}
        template={template}
        cursor={cursor}
        isEditing={isEditing}
        actions={actions}
      />
    </div>
  )
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}
