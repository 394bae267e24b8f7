// The columns of a table's grid. A header shows name and type. A cell shows its value, a link to the row that its foreign key
// references, and an editor.
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Eye, KeyRound, Link2, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TableColumn, TableStructure } from '../../../emulator/contract/tables.ts'
import { type CellKind, isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { longestTexts, mostOf, widthOf } from '../../parts/column-widths.ts'
import { type JumpTarget, targetOf } from '../../parts/row-columns.tsx'
import { shortType } from '../../parts/short-type.ts'
import { VerdictChip } from '../../parts/verdict-chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { CellEditor, type CellWrite } from './cell-editor.tsx'
import { isHidden, type ShownRow } from './shown-rows.ts'
import type { CellRefusal, UnsavedCell, UnsavedCells } from './unsaved-cells.ts'

export interface RowGridColumnsProps {
  readonly tenant: string
  readonly structure: TableStructure
  /** The identity to keep in the address when the user follows a foreign key. */
  readonly as: string | undefined
  /** The past instant to keep in the address. */
  readonly at: string | undefined
  /** `undefined` when the rows are read-only. */
  readonly onWrite: WriteCell | undefined
  /** Explains why a row is hidden. `undefined` for the owner, who sees every row. */
  readonly onWhy: ((row: ShownRow) => void) | undefined
  readonly unsaved: UnsavedCells
  /** Rows whose values determine the first widths of the columns. */
  readonly sample: readonly ShownRow[]
}

/** Writes one cell. Resolves with the reason when the value was refused. */
export type WriteCell = (
  row: ShownRow,
  column: string,
  write: CellWrite,
) => Promise<CellRefusal | undefined>

export function rowGridColumns(props: RowGridColumnsProps): readonly GridColumn<ShownRow>[] {
  const { tenant, structure, as, at, onWrite, onWhy, sample, unsaved } = props
  const longest =
    sample.length === 0
      ? undefined
      : longestTexts(
          structure.columns,
          sample.map(({ cells }) => cells),
        )
  const columns = structure.columns.map((column): GridColumn<ShownRow> => {
    const { name } = column
    const kind = kindOfType(column.type, column.choices)
    const marks = Number(column.is_key) + Number(isForeign(structure, name))
    const sized = { ...column, marks }
    return {
      id: name,
      label: name,
      title: titleOf(column),
      header: <Head column={column} structure={structure} />,
      width: widthOf(sized, longest?.get(name)),
      most: mostOf(sized, longest?.get(name)),
      min: 56,
      isMono: true,
      align: isRightAligned(kind) ? 'end' : 'start',
      canSort: true,
      render: ({ id, cells }) => {
        const typed = unsaved.find(id, name)
        if (typed !== undefined) return <Unsaved kind={kind} cell={typed} />
        return (
          <Cell
            kind={kind}
            value={cells[name] ?? null}
            tenant={tenant}
            as={as}
            at={at}
            target={targetOf(structure, name, cells)}
          />
        )
      },
      editor:
        onWrite &&
        ((row, leave) => (
          <CellEditor
            column={column}
            value={row.cells[name] ?? null}
            unsaved={unsaved.find(row.id, name)}
            onWrite={(write) => onWrite(row, name, write)}
            onKeep={(cell) => unsaved.keep(row.id, name, cell)}
            onForget={() => unsaved.forget(row.id, name)}
            onLeave={leave}
          />
        )),
    }
  })
  return onWhy === undefined ? columns : [...columns, accessColumn(onWhy)]
}

/** Shows whether the identity may see the row. The column stays at the right edge while the other columns scroll. */
function accessColumn(onWhy: (row: ShownRow) => void): GridColumn<ShownRow> {
  return {
    // No column of Postgres has an empty name.
    id: '',
    label: 'Access',
    header: 'Access',
    width: 260,
    min: 88,
    isFrozen: true,
    render: (row) =>
      isHidden(row) ? (
        <VerdictChip
          command="select"
          allowed={false}
          reason={row.verdict?.reason ?? ''}
          onOpen={() => onWhy(row)}
        />
      ) : (
        <span className="inline-flex items-center gap-1 font-sans text-small text-ink-dim">
          <Eye size={12} /> visible
        </span>
      ),
  }
}

function Head(props: {
  readonly column: TableColumn
  readonly structure: TableStructure
}): ReactElement {
  const { column, structure } = props
  const { name, type, is_key: isKey } = column
  return (
    <span className="flex flex-col font-mono leading-3">
      <span className="flex items-center gap-1.5 leading-4">
        {isKey && <KeyRound className="text-accent" />}
        {isForeign(structure, name) && <Link2 />}
        <span className="truncate text-base text-ink">{name}</span>
      </span>
      <span className="truncate text-left">{shortType(type)}</span>
    </span>
  )
}

function isForeign({ foreign_keys: keys }: TableStructure, column: string): boolean {
  return keys.some(({ columns }) => columns.includes(column))
}

/** Height in px of the header, which shows name and type in two lines. */
export const TWO_LINE_HEAD = 36

function Cell(props: {
  readonly kind: CellKind
  readonly value: string | null
  readonly tenant: string
  readonly as: string | undefined
  readonly at: string | undefined
  readonly target: JumpTarget | undefined
}): ReactElement {
  const { kind, value, tenant, as, at, target } = props
  if (target === undefined) return <CellValue kind={kind} value={value} />
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Link
        to="/t/$tenant/tables/$table"
        params={{ tenant, table: target.table }}
        search={{ where: target.where, as, at }}
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

/** Shows a value that the user typed and that is not saved. */
function Unsaved(props: { readonly kind: CellKind; readonly cell: UnsavedCell }): ReactElement {
  const { kind, cell } = props
  return (
    <span title={cell.reason} className="flex min-w-0 items-center gap-1 text-refused">
      <TriangleAlert size={13} className="shrink-0" role="img" aria-label="Not saved" />
      <span className="truncate">
        <CellValue kind={kind} value={cell.value} />
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
