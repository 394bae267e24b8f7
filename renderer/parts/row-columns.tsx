// Shows all columns of one row with their types, and links along its foreign keys.
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, KeyRound } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { ForeignKey, TableColumn, TableStructure } from '../../emulator/contract/tables.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { editableText, kindOfType } from './cell-kind.ts'
import { CellValue } from './cell-value.tsx'

type Row = Readonly<Record<string, string | null>>

export interface RowColumnsProps {
  readonly tenant: string
  readonly structure: TableStructure
  readonly row: Row
  /** The identity to keep in the address when the user follows a foreign key. */
  readonly as?: string | undefined
  /** The past instant to keep in the address. */
  readonly at?: string | undefined
  /** Returns what shows below a column's value. */
  readonly below?: (column: string, value: string | null) => ReactNode
}

export function RowColumns(props: RowColumnsProps): ReactElement {
  const { as, at, below, row, structure, tenant } = props
  return (
    <div className="grid gap-4 p-4">
      <dl className="grid gap-2.5">
        {structure.columns.map((column) => (
          <Column
            key={column.name}
            tenant={tenant}
            column={column}
            value={row[column.name] ?? null}
            target={targetOf(structure, column.name, row)}
            as={as}
            at={at}
            below={below?.(column.name, row[column.name] ?? null)}
          />
        ))}
      </dl>
      <References {...props} />
    </div>
  )
}

function Column(props: {
  readonly tenant: string
  readonly column: TableColumn
  readonly value: string | null
  readonly target: JumpTarget | undefined
  readonly as: string | undefined
  readonly at: string | undefined
  readonly below: ReactNode
}): ReactElement {
  const { tenant, column, value, target, as, at, below } = props
  const kind = kindOfType(column.type, column.choices)
  return (
    <div className="group grid min-w-0 gap-0.5">
      <dt className="flex min-w-0 items-center gap-1.5 text-small text-ink-dim">
        {column.is_key && <KeyRound aria-label="key" size={11} className="shrink-0 text-accent" />}
        <span className="truncate font-mono text-ink">{column.name}</span>
        <span className="truncate font-mono">{column.type}</span>
        {column.is_generated && <span>generated</span>}
        <span className="ml-auto flex items-center gap-1">
          {target !== undefined && <Jump tenant={tenant} target={target} as={as} at={at} />}
        </span>
      </dt>
      <dd className="flex min-w-0 items-start gap-1">
        <div className="max-h-56 min-h-7 min-w-0 flex-1 overflow-auto rounded-1 border bg-surface-0 px-2 py-[3px] font-mono break-words whitespace-pre-wrap">
          {kind === 'json' && value !== null ? (
            editableText(kind, value)
          ) : value !== null && value !== '' && kind !== 'boolean' ? (
            value
          ) : (
            <CellValue kind={kind} value={value} />
          )}
        </div>
        {value !== null && <CopyButton text={value} label={`Copy ${column.name}`} />}
      </dd>
      {below !== undefined && (
        <dd className="flex min-w-0 items-center gap-3 text-small text-ink-dim">{below}</dd>
      )}
    </div>
  )
}

export interface JumpTarget {
  readonly table: string
  readonly where: readonly string[]
}

/**
 * Finds the row that a column's foreign key refers to. Returns `undefined` when the column has no foreign key or is
 * null.
 */
export function targetOf(
  { foreign_keys }: { readonly foreign_keys: readonly ForeignKey[] },
  column: string,
  row: Row,
): JumpTarget | undefined {
  const key = foreign_keys.find(({ columns }) => columns.includes(column))
  if (key === undefined || row[column] === null || row[column] === undefined) return undefined
  return {
    table: key.target_table,
    where: key.columns.map(
      (name, position) => `${key.target_columns[position] ?? name}.eq.${row[name] ?? ''}`,
    ),
  }
}

export function Jump(props: {
  readonly tenant: string
  readonly target: JumpTarget
  readonly as: string | undefined
  readonly at?: string | undefined
}): ReactElement {
  const { tenant, target, as, at } = props
  return (
    <Link
      to="/t/$tenant/tables/$table"
      params={{ tenant, table: target.table }}
      search={{ where: target.where, as, at }}
      aria-label={`Go to ${target.table}`}
      className="inline-flex items-center gap-0.5 font-mono text-small text-accent hover:underline"
    >
      {target.table}
      <ArrowUpRight size={11} />
    </Link>
  )
}

function References({ tenant, structure, row, as, at }: RowColumnsProps): ReactElement | undefined {
  if (structure.referenced_by.length === 0) return undefined
  return (
    <section className="grid gap-1 border-t pt-3">
      <h3 className="text-small text-ink-dim">Referenced by</h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {structure.referenced_by.map((key) => (
          <li key={`${key.table} ${key.name}`} className="flex items-center gap-1">
            <Jump
              tenant={tenant}
              as={as}
              at={at}
              target={{
                table: key.table,
                where: key.columns.map(
                  (name, position) =>
                    `${name}.eq.${row[key.target_columns[position] ?? name] ?? ''}`,
                ),
              }}
            />
            <span className="font-mono text-small text-ink-dim">{key.columns.join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
