// One cell: its value, the way along a foreign key, and its editor when somebody writes in it.

import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TableColumn, TableStructure } from '../../../emulator/contract/tables.ts'
import { isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { targetOf } from '../../parts/row-columns.tsx'
import { cx } from '../../ui/cx.ts'
import { CellEditor } from './cell-editor.tsx'
import type { GridRow } from './grid-rows.ts'

export interface GridCellProps {
  readonly id: string
  readonly tenant: string
  readonly as: string | undefined
  readonly structure: TableStructure
  readonly column: TableColumn
  readonly row: GridRow
  readonly isHere: boolean
  readonly isEditing: boolean
  readonly onPlace: () => void
  readonly onEdit: () => void
  readonly onLeave: () => void
  readonly onWrite: (value: string | null) => Promise<void>
}

export function GridCell(props: GridCellProps): ReactElement {
  const { id, tenant, as, structure, column, row, isHere, isEditing } = props
  const kind = kindOfType(column.type, column.choices)
  const value = row.cells[column.name] ?? null
  const target = targetOf(structure, column.name, row.cells)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    <div
      id={id}
      role="gridcell"
      data-column={column.name}
      onClick={props.onPlace}
      onDoubleClick={props.onEdit}
      className={cx(
        'group/cell relative flex min-w-0 items-center gap-1 border-r px-2 font-mono',
        row.verdict?.allowed === false && 'border-dashed',
        isRightAligned(kind) && 'justify-end',
        isHere &&
          'group-focus/grid:shadow-[inset_0_0_0_1.5px_var(--color-accent)] group-focus-within/grid:bg-accent/8',
      )}
    >
      <span className="truncate">
        <CellValue kind={kind} value={value} />
      </span>
      {target !== undefined && !isEditing && (
        <Link
          to="/t/$tenant/tables/$table"
          params={{ tenant, table: target.table }}
          search={{ where: target.where, ...(as === undefined ? {} : { as }) }}
          tabIndex={-1}
          aria-label={`Go to ${target.table} ${value}`}
          title={`Go to ${target.table}`}
          className="order-first shrink-0 rounded-1 text-ink-dim opacity-60 hover:bg-surface-3 hover:text-accent hover:opacity-100 group-hover/cell:opacity-100"
        >
          <ArrowUpRight aria-hidden size={13} />
        </Link>
      )}
      {isEditing && (
        <CellEditor column={column} value={value} onWrite={props.onWrite} onLeave={props.onLeave} />
      )}
    </div>
  )
}
