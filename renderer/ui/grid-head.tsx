// The header of a grid: column names, sorting, edges that resize columns, and the checkbox that selects every row.
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactElement } from 'react'
import { Checkbox } from './checkbox.tsx'
import { cx } from './cx.ts'
import { edgeDrag } from './drag.ts'
import type { GridColumn, GridSort } from './grid-columns.ts'

interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[]
  readonly sort: GridSort | undefined
  readonly onSort: ((column: string) => void) | undefined
  readonly onResize: (column: string, width: number) => void
  /** The number of checked rows; `undefined` in a grid without checkboxes. */
  readonly pickedCount: number | undefined
  readonly rowCount: number
  /** Height in px. */
  readonly height: number
  readonly onPickAll: (isAll: boolean) => void
}

export function GridHead<Row>(props: GridHeadProps<Row>): ReactElement {
  const { pickedCount, rowCount } = props
  const isAllPicked = rowCount > 0 && pickedCount === rowCount
  return (
    <div role="rowgroup" className="sticky top-0 z-20 w-max min-w-full shrink-0">
      <div
        role="row"
        aria-rowindex={1}
        style={{ height: props.height }}
        className="grid grid-cols-(--columns) items-stretch border-b border-line-strong bg-surface-1 text-small text-ink-dim group-focus-visible/grid:border-accent group-focus-visible/grid:text-ink"
      >
        {pickedCount !== undefined && (
          <div
            role="columnheader"
            className="sticky left-0 z-20 flex items-end justify-center border-r bg-surface-1 pb-[5px]"
          >
            <Checkbox
              label="Select all rows"
              isLabelHidden
              isChecked={isAllPicked}
              isPartial={pickedCount > 0 && !isAllPicked}
              onChange={props.onPickAll}
            />
          </div>
        )}
        {props.columns.map((column) =>
          column.isMark === true ? (
            <div
              key={column.id}
              role="columnheader"
              aria-label={column.label ?? column.id}
              title={column.title}
              className="relative min-w-0"
            >
              {column.header}
            </div>
          ) : (
            <HeadCell key={column.id} {...props} column={column} />
          ),
        )}
      </div>
    </div>
  )
}

function HeadCell<Row>(
  props: Pick<GridHeadProps<Row>, 'sort' | 'onSort' | 'onResize'> & {
    readonly column: GridColumn<Row>
  },
): ReactElement {
  const { column, sort, onSort, onResize } = props
  const { id, header, title, align } = column
  const name = column.label ?? (typeof header === 'string' ? header : id)
  const canSort = column.canSort === true && onSort !== undefined
  const direction =
    sort?.column !== id ? 'none' : sort.isDescending ? ('descending' as const) : 'ascending'
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  const look = cx(
    // In a tall header, the name is at the bottom.
    'flex h-full max-h-9 min-w-0 flex-1 items-center gap-1 self-end px-3 group-data-[cells]/grid:px-2 [&_svg]:size-3 [&_svg]:shrink-0',
    align === 'end' && 'justify-end',
  )
  return (
    <div
      role="columnheader"
      aria-label={name}
      aria-sort={canSort ? direction : undefined}
      className={cx(
        'group/head flex min-w-0 items-center',
        column.isFrozen === true
          ? 'sticky right-0 z-20 border-l border-line-strong bg-surface-1'
          : 'relative',
      )}
    >
      {canSort ? (
        <button
          type="button"
          title={title}
          className={cx(look, 'hover:text-ink', direction !== 'none' && 'text-accent')}
          onClick={() => onSort(id)}
        >
          <span className="truncate">{header}</span>
          {direction !== 'none' && <Arrow />}
        </button>
      ) : (
        <span title={title} className={look}>
          <span className="truncate">{header}</span>
        </span>
      )}
      <ResizeEdge name={name} onResize={(width) => onResize(id, width)} />
    </div>
  )
}

function ResizeEdge(props: {
  readonly name: string
  readonly onResize: (width: number) => void
}): ReactElement {
  const { name, onResize } = props
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
      className="absolute -right-1 bottom-0 z-10 h-7 w-2 cursor-col-resize touch-none group-last/head:right-0 before:absolute before:inset-y-1 before:left-1 before:w-[1px] before:bg-line-strong hover:before:bg-accent"
    />
  )
}
