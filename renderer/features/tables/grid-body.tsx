// The rows in view. A row that the identity may not see is a ghost: dimmed, dashed, with the reason at its right edge.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { ReactElement } from 'react'
import type { Cursor } from '../../parts/grid-cursor.ts'
import { VerdictChip } from '../../parts/verdict-chip.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { GridCell } from './grid-cell.tsx'
import type { GridRow } from './grid-rows.ts'
import { cellId, ROW_HEIGHT, type RowsGridProps } from './rows-grid.tsx'

export interface GridBodyProps extends RowsGridProps {
  readonly items: readonly VirtualItem[]
  readonly height: number
  readonly template: string
  readonly cursor: Cursor
  readonly isEditing: boolean
  readonly onPlace: (cursor: Cursor) => void
  readonly onEdit: (cursor: Cursor) => void
  readonly onLeave: () => void
  readonly onToggle: (id: string) => void
}

export function GridBody(props: GridBodyProps): ReactElement {
  return (
    <div role="rowgroup" style={{ height: props.height }} className="relative w-max min-w-full">
      {/* Gives the row group its width: what is placed absolutely does not. */}
      <div aria-hidden style={{ gridTemplateColumns: props.template }} className="grid h-0" />
      {props.items.map((item) => {
        const row = props.rows[item.index]
        return (
          row && <Row key={item.key} {...props} row={row} index={item.index} start={item.start} />
        )
      })}
    </div>
  )
}

interface RowProps extends GridBodyProps {
  readonly row: GridRow
  readonly index: number
  /** Pixels from the top. */
  readonly start: number
}

function Row(props: RowProps): ReactElement {
  const { address, row, index, selected } = props
  const isGhost = row.verdict?.allowed === false
  const isOpen = address.search.row === row.id
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected.has(row.id)}
      data-row={row.id}
      data-ghost={isGhost || undefined}
      style={{
        height: ROW_HEIGHT,
        transform: `translateY(${props.start}px)`,
        gridTemplateColumns: props.template,
      }}
      className={cx(
        'absolute inset-x-0 top-0 grid border-b',
        isGhost ? 'ghost border-dashed border-line-strong' : 'bg-surface-0',
        isOpen ? 'z-10 shadow-[inset_2px_0_0_var(--color-accent)]' : 'hover:bg-surface-1',
        (isOpen || selected.has(row.id)) && 'bg-accent/10!',
      )}
    >
      <Gutter {...props} isGhost={isGhost} />
      {props.structure.columns.map((column, position) => {
        const place = { row: index, column: position }
        const isHere = props.cursor.row === index && props.cursor.column === position
        return (
          <GridCell
            key={column.name}
            id={cellId(place)}
            tenant={address.tenant}
            as={address.search.as}
            structure={props.structure}
            column={column}
            row={row}
            isHere={isHere}
            isEditing={isHere && props.isEditing}
            onPlace={() => {
              props.onPlace(place)
              if (address.search.row !== undefined) address.openRow(row.id, address.search.show)
            }}
            onEdit={() => props.onEdit(place)}
            onLeave={props.onLeave}
            onWrite={(value) => props.onWrite(row, column.name, value)}
          />
        )
      })}
      {isGhost && (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-end">
          <VerdictChip
            command="select"
            allowed={false}
            reason={row.verdict?.reason ?? ''}
            onOpen={() => address.openRow(row.id, 'why')}
            className="pointer-events-auto sticky right-2 max-w-[46cqw]"
          />
        </div>
      )}
    </div>
  )
}

function Gutter({
  row,
  index,
  selected,
  isGhost,
  onToggle,
}: RowProps & { readonly isGhost: boolean }): ReactElement {
  return (
    <div
      role="gridcell"
      className={cx(
        'group/gutter sticky left-0 z-10 grid place-items-center border-r text-small text-ink-dim',
        isGhost ? 'border-dashed bg-surface-1' : 'bg-surface-0',
      )}
    >
      <span
        className={cx(
          'opacity-0 group-hover/gutter:opacity-100 focus-within:opacity-100',
          selected.has(row.id) && 'opacity-100',
        )}
      >
        <Checkbox
          label={`Select row ${index + 1}`}
          isLabelHidden
          isChecked={selected.has(row.id)}
          onChange={() => onToggle(row.id)}
        />
      </span>
      {!selected.has(row.id) && (
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
