// The head of a grid: names, sorting, and edges that make columns wider.
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactElement } from 'react'
import { cx } from './cx.ts'
import { edgeDrag } from './drag.ts'
import type { GridColumn } from './grid-columns.ts'

export interface GridSort {
  readonly column: string
  readonly isDescending: boolean
}

interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[]
  readonly sort: GridSort | undefined
  readonly onSort: ((sort: GridSort) => void) | undefined
  readonly onResize: (column: string, width: number) => void
}

const ARIA_SORT = { up: 'ascending', down: 'descending', none: undefined } as const

export function GridHead<Row>({
  columns,
  sort,
  onSort,
  onResize,
}: GridHeadProps<Row>): ReactElement {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 w-max min-w-full shrink-0">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-7 grid-cols-(--columns) items-stretch border-b border-line-strong bg-surface-1 text-small text-ink-dim group-focus-visible/grid:border-accent group-focus-visible/grid:text-ink"
      >
        {columns.map((column) => (
          <HeadCell
            key={column.id}
            column={column}
            direction={sort?.column !== column.id ? 'none' : sort.isDescending ? 'down' : 'up'}
            onSort={onSort}
            onResize={(width) => onResize(column.id, width)}
          />
        ))}
      </div>
    </div>
  )
}

function HeadCell<Row>({
  column,
  direction,
  onSort,
  onResize,
}: {
  readonly column: GridColumn<Row>
  readonly direction: keyof typeof ARIA_SORT
  readonly onSort: ((sort: GridSort) => void) | undefined
  readonly onResize: (width: number) => void
}): ReactElement {
  const name = column.label ?? (typeof column.header === 'string' ? column.header : column.id)
  const Arrow = direction === 'down' ? ArrowDown : ArrowUp
  const look = cx(
    'flex h-full min-w-0 flex-1 items-center gap-1 px-3 [&_svg]:size-3',
    column.align === 'end' && 'justify-end',
  )
  return (
    <div
      role="columnheader"
      aria-label={name}
      aria-sort={ARIA_SORT[direction]}
      className="relative flex min-w-0 items-center"
    >
      {column.canSort === true && onSort !== undefined ? (
        <button
          type="button"
          className={cx(look, 'hover:text-ink')}
          onClick={() => onSort({ column: column.id, isDescending: direction === 'up' })}
        >
          <span className="truncate">{column.header}</span>
          {direction === 'none' ? undefined : <Arrow aria-hidden="true" />}
        </button>
      ) : (
        <span className={look}>
          <span className="truncate">{column.header}</span>
        </span>
      )}
      <ResizeEdge name={name} onResize={onResize} />
    </div>
  )
}

function ResizeEdge({
  name,
  onResize,
}: {
  readonly name: string
  readonly onResize: (width: number) => void
}): ReactElement {
  return (
    <div
      role="separator"
      tabIndex={-1}
      aria-label={`Resize ${name}`}
      aria-orientation="vertical"
      aria-valuenow={0}
      onPointerDown={(event) => {
        const cell = event.currentTarget.parentElement
        if (cell === null) return
        edgeDrag('x', () => cell.offsetWidth, onResize).onPointerDown(event)
      }}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none before:absolute before:inset-y-1 before:left-1 before:w-[1px] before:bg-line-strong hover:before:bg-accent"
    />
  )
}
