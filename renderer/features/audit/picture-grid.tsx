// Tables and buckets against identities: how many rows each identity sees, and which files it reads and writes. A cell of a table
// opens the rows with the decision for each.
import { Link } from '@tanstack/react-router'
import { CircleCheck, ShieldOff, TriangleAlert, X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { AuditCell, AuditIdentity, AuditTable } from '../../../emulator/contract/audit.ts'
import type { PartialAudit } from '../../api/audit-parts.ts'
import { exposureOfRows } from '../../parts/exposure.ts'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { actingText } from './acting-text.ts'
import { BucketRows } from './bucket-rows.tsx'
import { EXPOSURE_LOOKS } from './exposure-looks.ts'
import { IdentityHead } from './identity-head.tsx'
import { NOTES, SEEN } from './texts.ts'

export function PictureGrid({ audit }: { readonly audit: PartialAudit }): ReactElement {
  const { identities, tables, tenant, waiting } = audit
  const counted = new Map(tables.map((table) => [table.name, table]))
  const names = [...counted.keys(), ...waiting].toSorted()
  const accepted = acceptedOf(audit.whole)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="border-b bg-surface-1 px-4 py-2 text-ink-dim">{NOTES.legend}</p>
      {/* The cells inside are focusable, so the keyboard scrolls the grid, too. */}
      <div className="min-h-0 flex-1 overflow-auto">
        <table
          aria-label="Tables and identities"
          className="w-max border-separate border-spacing-0"
        >
          <IdentityHead corner="table" identities={identities} />
          <tbody>
            {names.map((name) => {
              const table = counted.get(name)
              return table === undefined ? (
                <WaitingRow key={name} name={name} columns={identities.length} />
              ) : (
                <tr key={name} className="group/line">
                  <TableHead table={table} accepted={accepted.get(name)} />
                  {table.cells.map((cell, index) => {
                    const identity = identities[index]
                    return identity === undefined ? undefined : (
                      <td key={identity.label} className="border-r border-b p-0">
                        <CellLink tenant={tenant} table={table} identity={identity} cell={cell} />
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
          <BucketRows audit={audit} />
        </table>
      </div>
    </div>
  )
}

/** A row for a table whose rows are not counted yet. */
function WaitingRow(props: { readonly name: string; readonly columns: number }): ReactElement {
  return (
    <tr>
      <th className="sticky left-0 z-10 h-7 max-w-64 truncate border-r border-b bg-surface-0 px-3 text-left font-mono font-normal">
        {props.name}
      </th>
      <td colSpan={props.columns} className="border-r border-b px-2 text-ink-dim">
        <span className="sticky left-60">{NOTES.counting}</span>
      </td>
    </tr>
  )
}

/** Returns for each table the reasons in the comments that accept findings about the table. */
function acceptedOf(audit: PartialAudit['whole']): ReadonlyMap<string, readonly string[]> {
  const reasons = Map.groupBy(
    audit?.findings.filter(({ accepted }) => accepted !== null) ?? [],
    ({ table }) => table ?? '',
  )
  return new Map(
    [...reasons].map(([table, found]) => [
      table,
      [...new Set(found.flatMap(({ accepted }) => accepted ?? []))],
    ]),
  )
}

function TableHead(props: {
  readonly table: AuditTable
  readonly accepted: readonly string[] | undefined
}): ReactElement {
  const { accepted, table } = props
  const { kind, name, policies, rls_enabled: isSecured, total } = table
  const isView = kind === 'view' || kind === 'materialized_view'
  return (
    <th className="sticky left-0 z-10 max-w-64 border-r border-b bg-surface-0 px-3 text-left font-normal group-hover/line:bg-surface-1">
      <span className="flex items-center gap-2">
        {!(isSecured || isView) && (
          <ShieldOff
            role="img"
            aria-label="row-level security off"
            size={14}
            className="shrink-0 text-refused"
          />
        )}
        <span className="truncate font-mono" title={name}>
          {name}
        </span>
        {accepted !== undefined && (
          <CircleCheck
            role="img"
            aria-label={NOTES.accept + accepted.join('; ')}
            size={14}
            className="shrink-0 text-ink-dim"
          >
            <title>{NOTES.accept + accepted.join('; ')}</title>
          </CircleCheck>
        )}
        <span
          title={isView ? undefined : NOTES.policies}
          className="ml-auto shrink-0 pl-4 text-small text-ink-dim tabular-nums"
        >
          {isView ? 'view' : countOf(policies, 'policy', 'policies')}
          {total !== null && ` · ${countOf(total, 'row')}`}
        </span>
      </span>
    </th>
  )
}

interface CellProps {
  readonly tenant: string
  readonly table: AuditTable
  readonly identity: AuditIdentity
  readonly cell: AuditCell
}

function CellLink({ cell, identity, table, tenant }: CellProps): ReactElement {
  const { name, total } = table
  const seen = total === 0 && cell.seen === 'none' ? 'empty' : cell.seen
  const as = actingText(identity)
  const words = cell.reason === null ? SEEN[cell.seen] : `${SEEN[cell.seen]}: ${cell.reason}`
  const text = textOf(seen, cell.rows, total)
  const shown = {
    'aria-label': `${identity.label}, ${name}: ${text}`,
    title: `${identity.label} ${words}`,
    className: cx(
      'relative flex h-7 items-center justify-center px-2 whitespace-nowrap tabular-nums',
      lookOf(identity, cell.seen),
    ),
    children: <CellContent seen={seen} text={text} share={(cell.rows ?? 0) / (total ?? 1)} />,
  }
  // The policies screen judges rows of tables only. A view therefore opens in the tables screen, as the identity reads it.
  return table.kind === 'table' || table.kind === 'partitioned_table' ? (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: name }}
      search={{ view: 'rows', as }}
      {...shown}
    />
  ) : (
    <Link
      to="/t/$tenant/tables/$table"
      params={{ tenant, table: name }}
      search={{ as }}
      {...shown}
    />
  )
}

type Seen = AuditCell['seen'] | 'empty'

function lookOf(identity: AuditIdentity, seen: AuditCell['seen']): string {
  if (seen === 'refused') return 'hidden-row hover:bg-surface-2'
  if (seen === 'failed') return 'bg-refused/16 text-refused hover:bg-refused/24'
  return EXPOSURE_LOOKS[exposureOfRows(identity, seen)]
}

/** The visible text of a cell, which is also part of its accessible name. */
function textOf(seen: Seen, rows: number | null, total: number | null): string {
  if (seen !== 'some') return seen
  const count = formatNumber(rows ?? 0)
  return total === null ? count : `${count} of ${formatNumber(total)}`
}

const ICONS = { refused: X, failed: TriangleAlert } as const

function CellContent(props: {
  readonly seen: Seen
  readonly text: string
  /** Visible rows as a share of all rows. */
  readonly share: number
}): ReactElement {
  const { seen, share, text } = props
  const Icon = seen === 'refused' || seen === 'failed' ? ICONS[seen] : undefined
  return (
    <>
      {Icon !== undefined && <Icon size={12} className="mr-1 shrink-0" />}
      {text}
      {seen === 'some' && (
        <span
          aria-hidden="true"
          style={{ width: `${Math.min(100, Math.max(4, share * 100))}%` }}
          className="absolute bottom-0 left-0 h-0.5 bg-current"
        />
      )}
    </>
  )
}
