// The columns of a table's grid. The header shows name and type; a cell shows its value, a link along its foreign key, and its
// editor.
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, KeyRound, Link2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TableColumn, TableStructure } from '../../../emulator/contract/tables.ts'
import { type CellKind, isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { type JumpTarget, targetOf } from '../../parts/row-columns.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { CellEditor } from './cell-editor.tsx'
import { type ShownRow, shortType, widthOf } from './shown-rows.ts'

export interface RowGridColumnsProps {
  readonly tenant: string
  readonly structure: TableStructure
  /** The identity to keep in the address when the user follows a foreign key. */
  readonly as: string | undefined
  /** The promise resolves when the user may leave the cell. The function is `undefined` when the rows are read-only. */
  readonly onWrite:
    | ((row: ShownRow, column: string, value: string | null) => Promise<void>)
    | undefined
}

export function rowGridColumns(props: RowGridColumnsProps): readonly GridColumn<ShownRow>[] {
  const { tenant, structure, as, onWrite } = props
  return structure.columns.map((column) => {
    const { name } = column
    const kind = kindOfType(column.type, column.choices)
    return {
      id: name,
      label: name,
      title: titleOf(column),
      header: <Head column={column} structure={structure} />,
      width: widthOf(column),
      min: 56,
      isMono: true,
      align: isRightAligned(kind) ? 'end' : 'start',
      canSort: true,
      render: ({ cells }) => (
        <Cell
          kind={kind}
          value={cells[name] ?? null}
          tenant={tenant}
          as={as}
          target={targetOf(structure, name, cells)}
        />
      ),
      editor:
        onWrite &&
        ((row, leave) => (
          <CellEditor
            column={column}
            value={row.cells[name] ?? null}
            onWrite={(value) => onWrite(row, name, value)}
            onLeave={leave}
          />
        )),
    }
  })
}

function Head(props: {
  readonly column: TableColumn
  readonly structure: TableStructure
}): ReactElement {
  const { column, structure } = props
  const { name, type, is_key: isKey } = column
  const isForeign = structure.foreign_keys.some(({ columns }) => columns.includes(name))
  return (
    <span className="flex items-center gap-1.5 font-mono">
      {isKey && <KeyRound className="text-accent" />}
      {isForeign && <Link2 />}
      <span className="truncate text-base text-ink">{name}</span>
      <span className="truncate">{shortType(type)}</span>
    </span>
  )
}

function Cell(props: {
  readonly kind: CellKind
  readonly value: string | null
  readonly tenant: string
  readonly as: string | undefined
  readonly target: JumpTarget | undefined
}): ReactElement {
  const { kind, value, tenant, as, target } = props
  if (target === undefined) return <CellValue kind={kind} value={value} />
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Link
        to="/t/$tenant/tables/$table"
        params={{ tenant, table: target.table }}
        search={{ where: target.where, as }}
        tabIndex={-1}
        aria-label={`Go to ${target.table} ${value}`}
        title={`Go to ${target.table}`}
        className="shrink-0 rounded-1 text-ink-dim opacity-60 hover:bg-surface-3 hover:text-accent hover:opacity-100 group-hover/cell:opacity-100"
      >
        <ArrowUpRight size={13} />
      </Link>
      <span className="truncate">
        <CellValue kind={kind} value={value} />
      </span>
    </span>
  )
}

function titleOf({ name, type, is_nullable, default: by, comment }: TableColumn): string {
  return [
    `${name} ${type}${is_nullable ? '' : ' not null'}`,
    by === null ? undefined : `default ${by}`,
    comment ?? undefined,
  ]
    .filter(Boolean)
    .join('\n')
}
