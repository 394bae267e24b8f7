// Lists the differences between two states by tenant and table, down to rows and cells.
import { Link } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { LEDGER_TABLE } from '../../../emulator/contract/choices.ts'
import type { SnapshotDiff } from '../../../emulator/contract/snapshots.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY } from './texts.ts'

type TenantDiff = SnapshotDiff['tenants'][number]
type TableDiff = TenantDiff['tables'][number]
type RowDiff = TableDiff['rows'][number]
type CellDiff = RowDiff['cells'][number]

export function DiffView({ diff }: { readonly diff: SnapshotDiff }): ReactElement {
  if (diff.tenants.length === 0) return <EmptyState {...EMPTY.differences} />
  return (
    <ul aria-label="Differences" className="flex flex-col gap-3">
      {diff.tenants.map((tenant) => (
        <li key={tenant.schema_name} className="rounded-2 border bg-surface-0">
          <p className="flex items-center gap-2 border-b px-3 py-2">
            <span className="min-w-0 flex-1 truncate font-mono">
              {tenant.schema_name.replace(/^proj_/, '')}
            </span>
            <Chip tone="changed">{tenant.change}</Chip>
          </p>
          <ul className="flex flex-col gap-1 px-3 py-2">
            <Tables tenant={tenant} />
            <Others tenant={tenant} />
            {tenant.history_gaps.map((gap) => (
              <li key={gap} className="text-small text-ink-dim">
                {gap}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** Tables of a new or removed tenant appear only with rows, because every table of such a tenant is new or removed. */
function Tables({ tenant: { change, tables } }: { readonly tenant: TenantDiff }): ReactElement {
  const shown = tables.filter((table) => change === 'changed' || table.rows.length > 0)
  const left = tables.length - shown.length
  return (
    <>
      {shown.map((table) => (
        <Table key={table.table} table={table} />
      ))}
      {left > 0 && (
        <li className="text-ink-dim">
          {countOf(left, 'table')} without rows {change}
        </li>
      )}
    </>
  )
}

/** The number of rows that a table shows until the user asks for all. */
const FIRST_ROWS = 5

function Table({ table }: { readonly table: TableDiff }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const { rows } = table
  const isLedger = table.table === LEDGER_TABLE
  const shown = isOpen ? rows : rows.slice(0, FIRST_ROWS)
  const total = table.rows_added + table.rows_removed + table.rows_changed
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-mono">
          {isLedger ? 'steps that ran' : table.table}
        </span>
        {table.structure_changed ? <Chip tone="changed">structure</Chip> : undefined}
        <Counts
          of="rows"
          added={table.rows_added}
          removed={table.rows_removed}
          changed={table.rows_changed}
        />
      </div>
      {rows.length > 0 && (
        <ul aria-label={`Rows of ${table.table}`} className="flex flex-col gap-1 border-l pl-3">
          {shown.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table without a key have no id
            <Row key={place} row={row} hasCells={!isLedger} />
          ))}
        </ul>
      )}
      <p className="flex items-center gap-2 pl-3 text-small text-ink-dim empty:hidden">
        {shown.length < rows.length && (
          <Button size="small" onClick={() => setOpen(true)}>
            Show {countOf(rows.length - shown.length, 'more row')}
          </Button>
        )}
        {total > rows.length && `${countOf(total - rows.length, 'row')} not listed`}
      </p>
    </li>
  )
}

const ROW_MARKS = {
  added: ['+', 'text-allowed'],
  removed: ['−', 'text-refused'],
  changed: ['~', 'text-changed'],
} as const

/** @param props.hasCells false for the list of steps, whose other columns are bookkeeping */
function Row(props: { readonly row: RowDiff; readonly hasCells: boolean }): ReactElement {
  const { row, hasCells } = props
  const [sign, ink] = ROW_MARKS[row.change]
  const key = Object.entries(row.key).map(([column, text]) => `${column} = ${text ?? 'null'}`)
  return (
    <li className="flex min-w-0 items-baseline gap-2 font-mono text-small">
      <span title={row.change} className={cx('shrink-0', ink)}>
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{row.change}</span>
      </span>
      <div className="min-w-0 flex-1">
        {key.length > 0 && <p className="break-all">{key.join(', ')}</p>}
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
          {hasCells &&
            row.cells.map((cell) => <Cell key={cell.column} cell={cell} change={row.change} />)}
        </dl>
        {row.made_by.length > 0 && (
          <ul aria-label="Changed by" className="flex flex-col">
            {row.made_by.map((maker) => (
              <Maker key={maker.sequence} maker={maker} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

function Maker({ maker }: { readonly maker: RowDiff['made_by'][number] }): ReactElement {
  const { at, method, request_id: request, role, target, user_id: user } = maker
  return (
    <li className="flex min-w-0 items-baseline gap-2 text-ink-dim">
      {request === null ? (
        <span className="min-w-0 truncate">no request</span>
      ) : (
        <Link
          to="/requests/$requestId"
          params={{ requestId: request }}
          title={request}
          className="min-w-0 truncate text-accent hover:underline"
        >
          {method === null ? request : `${method} ${target}`}
        </Link>
      )}
      <span className="shrink-0" title={user ?? undefined}>
        by {role}
      </span>
      <span className="ml-auto shrink-0">
        <Timestamp at={at} isPast />
      </span>
    </li>
  )
}

function Cell(props: {
  readonly cell: CellDiff
  readonly change: RowDiff['change']
}): ReactElement | undefined {
  const { column, before, after } = props.cell
  return (
    <>
      <dt className="text-ink-dim">{column}</dt>
      <dd className="min-w-0 break-all">
        {props.change !== 'added' && <Value text={before} className="bg-refused/10" />}
        {props.change === 'changed' && <span className="px-1 text-ink-dim">→</span>}
        {props.change !== 'removed' && <Value text={after} className="bg-allowed/10" />}
      </dd>
    </>
  )
}

function Value(props: { readonly text: string | null; readonly className: string }): ReactElement {
  const { text, className } = props
  if (text === null) return <span className="text-ink-dim italic">null</span>
  return <span className={cx('rounded-1 px-1', className)}>{text === '' ? '""' : text}</span>
}

function Others({ tenant }: { readonly tenant: TenantDiff }): ReactElement {
  return (
    <>
      {tenant.users_added + tenant.users_removed !== 0 && (
        <li className="flex items-center gap-2">
          <span className="flex-1">Users</span>
          <Counts of="users" added={tenant.users_added} removed={tenant.users_removed} />
        </li>
      )}
      {tenant.objects_added + tenant.objects_removed !== 0 && (
        <li className="flex items-center gap-2">
          <span className="flex-1">Files</span>
          <Counts of="files" added={tenant.objects_added} removed={tenant.objects_removed} />
        </li>
      )}
    </>
  )
}

function Counts(props: {
  readonly of: string
  readonly added: number
  readonly removed: number
  readonly changed?: number
}): ReactElement {
  const { of, added, removed, changed = 0 } = props
  const parts = [
    ['+', added, 'added', 'text-allowed'],
    ['−', removed, 'removed', 'text-refused'],
    ['~', changed, 'changed', 'text-changed'],
  ] as const
  return (
    <span className="flex gap-3 tabular-nums">
      {parts
        .filter(([, count]) => count > 0)
        .map(([sign, count, word, ink]) => (
          <span key={word} title={`${formatNumber(count)} ${of} ${word}`} className={ink}>
            {sign}
            {formatNumber(count)}
          </span>
        ))}
    </span>
  )
}
