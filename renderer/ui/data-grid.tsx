// A long list as a grid: only the rows in view exist, the head stays, columns can be made wider, and the keyboard moves the
// selection (arrows, j and k, Home, End, Enter).
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { type GridColumn, nextIndex, templateOf } from './grid-columns.ts'
import { GridHead, type GridSort } from './grid-head.tsx'
import { useKeptPlace } from './kept-place.ts'
import { isTyping } from './keyboard.ts'
import { useRemembered } from './remembered.ts'

export type { GridColumn } from './grid-columns.ts'
export type { GridSort } from './grid-head.tsx'

export interface DataGridProps<Row> {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row, index: number) => string
  readonly selected?: string | undefined
  readonly onSelect?: (key: string, row: Row) => void
  /** Enter or a double click. */
  readonly onOpen?: (row: Row) => void
  /** Further classes of a row: `hidden-row`, `animate-arrive`. */
  readonly rowClass?: (row: Row) => string | undefined
  readonly sort?: GridSort | undefined
  readonly onSort?: (sort: GridSort) => void
  /** Shown in place of rows when there are none. */
  readonly empty?: ReactNode
  /** Keeps the widths of columns under this name. */
  readonly name?: string
  readonly rowHeight?: number
  /** Called when the last rows come into view. */
  readonly onEnd?: () => void
  /** New rows come at the top: whoever has scrolled away from it keeps their place. */
  readonly keepsPlace?: boolean
  /** Takes the focus when it shows, so that keys work at once. */
  readonly isFirst?: boolean
}

export function DataGrid<Row>(props: DataGridProps<Row>): ReactElement {
  const { label, columns, rows, rowKey, selected, rowHeight = 28, empty, name, isFirst } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [widths, setWidths] = useRemembered<Readonly<Record<string, number>>>(
    name && `columns.${name}`,
    {},
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : rowKey(row, index)
    },
  })
  useKeptPlace(scroller, rows, rowKey, props.keepsPlace === true ? rowHeight : 0)
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? -1
  const { onEnd } = props
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - 1) onEnd?.()
  }, [lastShown, rows.length, onEnd])
  useEffect(() => {
    if (isFirst === true) scroller.current?.focus({ preventScroll: true })
  }, [isFirst])

  const select = (index: number) => {
    const row = rows[index]
    if (row === undefined) return
    props.onSelect?.(rowKey(row, index), row)
    virtual.scrollToIndex(index, { align: 'auto' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const index = rows.findIndex((row, at) => rowKey(row, at) === selected)
    const row = rows[index]
    if (event.key === 'Enter' && event.target === scroller.current && row !== undefined)
      return (props.onOpen ?? (() => {}))(row)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const next = nextIndex(event.key, index, rows.length, page)
    if (next === undefined || props.onSelect === undefined) return
    event.preventDefault()
    select(next)
  }
  const selectedItem = shown.find((item) => item.key === selected)
  const id = (index: number) => `${name ?? label}-row-${index}`

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={selectedItem && id(selectedItem.index)}
      onKeyDown={onKeyDown}
      style={{ ['--columns' as string]: templateOf(columns, widths) }}
      className="group/grid relative flex min-h-0 min-w-0 flex-1 flex-col overflow-auto outline-none"
    >
      <GridHead
        columns={columns}
        sort={props.sort}
        onSort={props.onSort}
        onResize={(column, width) => setWidths({ ...widths, [column]: width })}
      />
      {rows.length === 0 && empty !== undefined ? (
        <div role="rowgroup" className="sticky left-0 flex flex-1 flex-col">
          <div role="row" className="flex flex-1 flex-col">
            <div role="gridcell" className="flex flex-1 flex-col">
              {empty}
            </div>
          </div>
        </div>
      ) : undefined}
      <div
        role="rowgroup"
        style={{ height: virtual.getTotalSize() }}
        className="relative w-max min-w-full shrink-0"
      >
        {shown.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return undefined
          const isSelected = item.key === selected
          return (
            <GridRow
              key={item.key}
              id={id(item.index)}
              grid={props}
              row={row}
              index={item.index}
              start={item.start}
              isSelected={isSelected}
            />
          )
        })}
      </div>
    </div>
  )
}

interface GridRowProps<Row> {
  readonly id: string
  readonly grid: DataGridProps<Row>
  readonly row: Row
  readonly index: number
  /** Px from the top of the list. */
  readonly start: number
  readonly isSelected: boolean
}

function GridRow<Row>({
  id,
  grid,
  row,
  index,
  start,
  isSelected,
}: GridRowProps<Row>): ReactElement {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={() => grid.onSelect?.(grid.rowKey(row, index), row)}
      onDoubleClick={() => grid.onOpen?.(row)}
      style={{ height: grid.rowHeight ?? 28, transform: `translateY(${start}px)` }}
      className={cx(
        'absolute inset-x-0 top-0 grid grid-cols-(--columns) items-center border-b',
        isSelected ? 'bg-accent/15' : 'hover:bg-surface-2',
        grid.rowClass?.(row),
      )}
    >
      {grid.columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={cx(
            'flex h-full min-w-0 items-center overflow-hidden px-3',
            column.align === 'end' && 'justify-end text-right',
            column.isMono === true && 'font-mono',
          )}
        >
          <div className="min-w-0 truncate">{column.render(row, index)}</div>
        </div>
      ))}
    </div>
  )
}
