// One row of a grid with its cells. An unchanged row does not render again when the cursor moves.
import { memo, type ReactElement } from 'react'
import { Checkbox } from './checkbox.tsx'
import { cx } from './cx.ts'
import type { GridColumn } from './grid-columns.ts'
import type { GridActions } from './use-grid-cursor.ts'

export interface GridRowProps<Row> {
  readonly id: string
  readonly rowKey: string
  readonly row: Row
  readonly index: number
  /** Distance from the top of the list, in px. */
  readonly start: number
  /** Height in px. */
  readonly height: number
  readonly columns: readonly GridColumn<Row>[]
  readonly actions: GridActions
  readonly isSelected: boolean
  /** Whether the row is checked, or `undefined` in a grid without checkboxes. */
  readonly isPicked: boolean | undefined
  readonly pickLabel: string
  /** The cell cursor's column, when the cursor is in this row. */
  readonly hereColumn: number | undefined
  readonly isEditing: boolean
  readonly isHidden: boolean
  readonly className: string | undefined
}

function PlainGridRow<Row>(props: GridRowProps<Row>): ReactElement {
  const { id, rowKey, index, actions, isSelected, isPicked, isHidden } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isPicked ?? isSelected}
      data-row={rowKey}
      data-hidden-row={isHidden || undefined}
      onClick={() => actions.select(index)}
      onDoubleClick={() => actions.open(index)}
      style={{ height: props.height, transform: `translateY(${props.start}px)` }}
      className={cx(
        'group/row absolute inset-x-0 top-0 grid grid-cols-(--columns) items-center border-b',
        isHidden && 'hidden-row border-dashed border-line-strong',
        isSelected || isPicked === true ? 'bg-accent/15' : 'hover:bg-surface-2',
        isSelected && 'shadow-[inset_2px_0_0_var(--color-accent)]',
        props.isEditing && 'z-10',
        props.className,
      )}
    >
      {isPicked !== undefined && (
        <PickCell
          label={props.pickLabel}
          number={index + 1}
          isPicked={isPicked}
          onPick={() => actions.pick(rowKey)}
        />
      )}
      {props.columns.map((column, position) => (
        <Cell
          key={column.id}
          grid={props}
          column={column}
          position={position}
          isHere={props.hereColumn === position}
        />
      ))}
    </div>
  )
}

export const GridRow = memo(PlainGridRow) as typeof PlainGridRow

const FROZEN =
  'sticky right-0 z-10 border-l border-line-strong bg-surface-0 group-hover/row:bg-surface-2 group-data-[hidden-row]/row:hidden-row'

function Cell<Row>(props: {
  readonly grid: GridRowProps<Row>
  readonly column: GridColumn<Row>
  readonly position: number
  readonly isHere: boolean
}): ReactElement {
  const { grid, column, position, isHere } = props
  const { id, row, index, actions, isEditing } = grid
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      id={`${id}-${position}`}
      role="gridcell"
      data-column={column.id}
      onClick={() => actions.place(index, position)}
      onDoubleClick={() => actions.edit(index, position)}
      className={cx(
        'group/cell flex h-full min-w-0 items-center group-data-[hidden-row]/row:border-dashed',
        column.isFrozen === true ? FROZEN : 'relative group-data-[cells]/grid:border-r',
        column.isMark === true ? 'justify-center' : 'px-3 group-data-[cells]/grid:px-2',
        column.align === 'end' && 'justify-end text-right',
        column.isMono === true && 'font-mono',
        isHere &&
          'group-focus/grid:shadow-[inset_0_0_0_1.5px_var(--color-accent)] group-focus-within/grid:bg-accent/8',
      )}
    >
      <div className="min-w-0 truncate">{column.render(row, index)}</div>
      {isHere && isEditing && column.editor?.(row, actions.leave)}
    </div>
  )
}

function PickCell(props: {
  readonly label: string
  readonly number: number
  readonly isPicked: boolean
  readonly onPick: () => void
}): ReactElement {
  const { label, number, isPicked, onPick } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: prevents a click on the checkbox from selecting the row
    <div
      role="gridcell"
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      className="group/pick sticky left-0 z-10 grid h-full place-items-center border-r bg-surface-0 text-small text-ink-dim group-data-[hidden-row]/row:border-dashed group-data-[hidden-row]/row:bg-surface-1"
    >
      <span
        className={cx(
          'opacity-0 group-hover/pick:opacity-100 focus-within:opacity-100',
          isPicked && 'opacity-100',
        )}
      >
        <Checkbox label={label} isLabelHidden isChecked={isPicked} onChange={onPick} />
      </span>
      {!isPicked && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 grid place-items-center group-hover/pick:opacity-0"
        >
          {number}
        </span>
      )}
    </div>
  )
}
