// The grid of all lists and tables. The grid renders only visible rows, keeps its header in view, and has resizable
// columns. The keyboard moves a cursor over rows or cells. Features provide columns with cell renderers.
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import {
  type DataGridProps,
  fittingColumns,
  type GridColumn,
  grownColumns,
  PICK_WIDTH,
  ROW_HEIGHT,
  templateOf,
} from './grid-columns.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import { useRemembered } from './remembered.ts'
import { type GridCursor, useGridCursor } from './use-grid-cursor.ts'
import { useWidth } from './use-width.ts'

export type { GridColumn, GridPicking } from './grid-columns.ts'

export function DataGrid<Row>(all: DataGridProps<Row>): ReactElement {
  const { label, rows, name, picking, hasCellCursor = false } = all
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [widths, setWidths] = useRemembered<Readonly<Record<string, number>>>(
    name && `columns.${name}`,
    {},
  )
  const columns = useFittingColumns(all, widths, scroller)
  const props = { ...all, columns }
  const virtual = useVirtualRows(props, scroller)
  const grid = useGridCursor(props, scroller, (row) => virtual.scrollToIndex(row))
  const { cursor } = grid
  const isCursorShown = virtual.getVirtualItems().some(({ index }) => index === cursor.row)
  const cursorId = hasCellCursor ? `${id}-${cursor.row}-${cursor.column}` : `${id}-${cursor.row}`
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + (picking === undefined ? 0 : 1)}
      aria-multiselectable={picking === undefined ? undefined : true}
      aria-activedescendant={isCursorShown ? cursorId : undefined}
      data-cells={hasCellCursor || undefined}
      onKeyDown={grid.onKeyDown}
      style={{ ['--columns' as string]: templateOf(columns, widths, picking !== undefined) }}
      className="group/grid @container relative flex min-h-0 min-w-0 flex-1 flex-col overflow-auto outline-none"
    >
      <GridHead
        columns={columns}
        sort={props.sort}
        onSort={props.onSort}
        onResize={(column, width) => setWidths({ ...widths, [column]: width })}
        pickedCount={picking?.picked.size}
        rowCount={rows.length}
        height={props.headHeight ?? ROW_HEIGHT}
        onPickAll={(isAll) => picking?.onPick(new Set(isAll ? rows.map(props.rowKey) : []))}
      />
      {rows.length === 0 && props.empty !== undefined && <Empty>{props.empty}</Empty>}
      <Body
        id={id}
        grid={props}
        items={virtual.getVirtualItems()}
        height={virtual.getTotalSize()}
        {...grid}
      />
    </div>
  )
}

interface BodyProps<Row> extends GridCursor {
  readonly id: string
  readonly grid: DataGridProps<Row>
  readonly items: readonly VirtualItem[]
  /** Height of all rows together, in px. */
  readonly height: number
}

function Body<Row>(props: BodyProps<Row>): ReactElement {
  const { id, grid, items, height, cursor, isEditing, actions } = props
  const { picking } = grid
  return (
    <div role="rowgroup" style={{ height }} className="relative w-max min-w-full shrink-0">
      {/* Gives the row group its width, because absolutely positioned rows give it none. */}
      <div aria-hidden="true" className="grid h-0 grid-cols-(--columns)" />
      {items.map(({ index, start }) => {
        const row = grid.rows[index]
        if (row === undefined) return undefined
        const key = grid.rowKey(row, index)
        const isHere = grid.hasCellCursor === true && cursor.row === index
        return (
          <GridRow
            key={key}
            id={`${id}-${index}`}
            rowKey={key}
            row={row}
            index={index}
            start={start}
            height={grid.rowHeight ?? ROW_HEIGHT}
            columns={grid.columns}
            actions={actions}
            isSelected={key === grid.selected}
            isPicked={picking?.picked.has(key)}
            pickLabel={picking?.labelOf?.(row) ?? `Select row ${index + 1}`}
            hereColumn={isHere ? cursor.column : undefined}
            isEditing={isHere && isEditing}
            isHidden={grid.isHidden?.(row) ?? false}
            className={grid.rowClass?.(row)}
          />
        )
      })}
    </div>
  )
}

function Empty({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <div role="rowgroup" className="sticky left-0 flex flex-1 flex-col">
      <div role="row" className="flex flex-1 flex-col">
        <div role="gridcell" className="flex flex-1 flex-col">
          {children}
        </div>
      </div>
    </div>
  )
}

/** Returns the columns that the grid has room for, widened into the remaining room. */
function useFittingColumns<Row>(
  { columns, picking }: DataGridProps<Row>,
  widths: Readonly<Record<string, number>>,
  scroller: RefObject<HTMLElement | null>,
): readonly GridColumn<Row>[] {
  const width = useWidth(scroller)
  const canPick = picking !== undefined
  return useMemo(() => {
    if (width === undefined) return columns
    const room = width - (canPick ? PICK_WIDTH : 0)
    return grownColumns(fittingColumns(columns, widths, room), widths, room)
  }, [columns, widths, width, canPick])
}

function useVirtualRows<Row>(
  props: DataGridProps<Row>,
  scroller: RefObject<HTMLDivElement | null>,
): Virtualizer<HTMLDivElement, Element> {
  const { rows, rowKey, rowHeight = ROW_HEIGHT, onEnd, isFirst, keepsPlace = false } = props
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: props.headHeight ?? rowHeight,
    // Without `getItemKey`, because a new function would make the library measure all rows again. All rows have the same height.
  })
  const lastShown = virtual.getVirtualItems().at(-1)?.index ?? -1
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - 1) onEnd?.()
  }, [lastShown, rows.length, onEnd])
  useEffect(() => {
    if (isFirst === true) scroller.current?.focus({ preventScroll: true })
  }, [isFirst, scroller])
  const first = useRef<string>(undefined)
  useLayoutEffect(() => {
    const before = first.current
    first.current = rows[0] === undefined ? undefined : rowKey(rows[0], 0)
    const element = scroller.current
    if (!keepsPlace || before === undefined || element === null || element.scrollTop === 0) return
    const arrived = rows.findIndex((row, index) => rowKey(row, index) === before)
    if (arrived > 0) element.scrollTop += arrived * rowHeight
  }, [scroller, rows, rowKey, rowHeight, keepsPlace])
  return virtual
}
