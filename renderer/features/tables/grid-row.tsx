// One row. Rows hidden from the identity appear dimmed and dashed, with the reason at the right edge.
import { memo, type ReactElement } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import type { Cursor } from '../../parts/grid-cursor.ts'
import { VerdictChip } from '../../parts/verdict-chip.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { GridCell } from './grid-cell.tsx'
import type { GridRow } from './grid-rows.ts'
import { cellId, ROW_HEIGHT } from './grid-sizes.ts'

/** What rows can ask for; the same object at every render. */
export interface RowActions {
  readonly place: (cursor: Cursor, rowId: string) => void
  readonly edit: (cursor: Cursor) => void
  readonly leave: () => void
  readonly toggle: (rowId: string) => void
  readonly why: (rowId: string) => void
  readonly write: (row: GridRow, column: string, value: string | null) => Promise<void>
}

export interface Drawn {
  readonly tenant: string
  readonly as: string | undefined
  readonly structure: TableStructure
  readonly template: string
  readonly actions: RowActions
}

interface RowProps extends Drawn {
  readonly row: GridRow
  readonly index: number
  /** Pixels from the top. */
  readonly start: number
  readonly isOpen: boolean
  readonly isSelected: boolean
  /** The column on which the keyboard stands, when it stands in this row. */
  readonly hereColumn: number | undefined
  readonly isEditing: boolean
}

export const Row = memo(function Row(props: RowProps): ReactElement {
  const { row, index, isOpen, isSelected, actions, hereColumn } = props
  const isHidden = row.verdict?.allowed === false
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={row.id}
      data-hidden-row={isHidden || undefined}
      style={{
        height: ROW_HEIGHT,
        transform: `translateY(${props.start}px)`,
        gridTemplateColumns: props.template,
      }}
      className={cx(
        'absolute inset-x-0 top-0 grid border-b',
        isHidden ? 'hidden-row border-dashed border-line-strong' : 'bg-surface-0',
        isOpen ? 'z-10 shadow-[inset_2px_0_0_var(--color-accent)]' : 'hover:bg-surface-1',
        (isOpen || isSelected) && 'bg-accent/10!',
        props.isEditing && 'z-10',
      )}
    >
      <Gutter
        index={index}
        isSelected={isSelected}
        isHidden={isHidden}
        onToggle={() => actions.toggle(row.id)}
      />
      {props.structure.columns.map((column, position) => (
        <GridCell
          key={column.name}
          id={cellId({ row: index, column: position })}
          tenant={props.tenant}
          as={props.as}
          structure={props.structure}
          column={column}
          row={row}
          isHere={hereColumn === position}
          isEditing={hereColumn === position && props.isEditing}
          onPlace={() => actions.place({ row: index, column: position }, row.id)}
          onEdit={() => actions.edit({ row: index, column: position })}
          onLeave={actions.leave}
          onWrite={(value) => actions.write(row, column.name, value)}
        />
      ))}
      {isHidden && (
        <div
          role="gridcell"
          className="pointer-events-none absolute inset-0 flex items-center justify-end"
        >
          <VerdictChip
            command="select"
            allowed={false}
            reason={row.verdict?.reason ?? ''}
            onOpen={() => actions.why(row.id)}
            className="pointer-events-auto sticky right-2 max-w-[max(46cqw,120px)]! shadow-[8px_0_0_var(--color-surface-0)]"
          />
        </div>
      )}
    </div>
  )
})

function Gutter({
  index,
  isSelected,
  isHidden,
  onToggle,
}: {
  readonly index: number
  readonly isSelected: boolean
  readonly isHidden: boolean
  readonly onToggle: () => void
}): ReactElement {
  return (
    <div
      role="gridcell"
      className={cx(
        'group/gutter sticky left-0 z-10 grid place-items-center border-r text-small text-ink-dim',
        isHidden ? 'border-dashed bg-surface-1' : 'bg-surface-0',
      )}
    >
      <span
        className={cx(
          'opacity-0 group-hover/gutter:opacity-100 focus-within:opacity-100',
          isSelected && 'opacity-100',
        )}
      >
        <Checkbox
          label={`Select row ${index + 1}`}
          isLabelHidden
          isChecked={isSelected}
          onChange={onToggle}
        />
      </span>
      {!isSelected && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-0 grid place-items-center group-hover/gutter:opacity-0"
        >
          {index + 1}
        </span>
      )}
    </div>
  )
}
