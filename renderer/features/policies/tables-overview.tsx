// Lists all tables with the state of row-level security, policies and warnings.
import { Link } from '@tanstack/react-router'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { FindingCounts } from '../../parts/finding-counts.tsx'
import type { RailTable } from '../../parts/table-rail.tsx'
import { isGrave, WarningList } from '../../parts/warning-list.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/sheet.tsx'
import { EMPTY, NOTES, TITLE } from './texts.ts'

type PolicyTable = PolicyOverview['tables'][number]

export function TablesOverview(props: {
  readonly tenant: string
  readonly tables: readonly PolicyTable[]
  /** Findings about functions. */
  readonly functions: PolicyOverview['function_warnings']
}): ReactElement {
  const { functions, tenant, tables } = props
  const open = tables.filter(({ is_closed }) => !is_closed)
  const warned = open
    .filter(({ warnings }) => warnings.length > 0)
    .toSorted((one, other) => gravity(other) - gravity(one))
  const secured = open.filter(({ rls_enabled }) => rls_enabled).length
  return (
    <>
      <PageHeader
        title={TITLE}
        beside={
          <span>
            {secured} of {countOf(open.length, 'table')} with row-level security
          </span>
        }
        actions={
          <Link
            to="/t/$tenant/audit"
            params={{ tenant }}
            search={{ view: 'findings' }}
            className="flex items-center gap-2 text-accent hover:underline"
          >
            <FindingCounts findings={[...open.flatMap(({ warnings }) => warnings), ...functions]} />
            {NOTES.audit}
          </Link>
        }
      />
      {open.length === 0 ? (
        <EmptyState {...EMPTY.tables} />
      ) : (
        <div className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-6 overflow-auto p-4">
          {warned.length + functions.length === 0 ? (
            <p className="flex items-center gap-2 text-allowed">
              <ShieldCheck size={14} />
              {NOTES.noWarnings}
            </p>
          ) : (
            warned.map((table) => (
              <Section
                key={table.name}
                title={table.name}
                beside={<OpenTable tenant={tenant} name={table.name} />}
              >
                <WarningList tenant={tenant} warnings={table.warnings} />
              </Section>
            ))
          )}
          {functions.length > 0 && (
            <Section title="Functions">
              <WarningList tenant={tenant} warnings={functions} />
            </Section>
          )}
          <Section title="All tables">
            <ul className="grid grid-cols-1 rounded-2 border">
              {open.map((table) => (
                <TableLine key={table.name} tenant={tenant} table={table} />
              ))}
            </ul>
          </Section>
        </div>
      )}
    </>
  )
}

function TableLine(props: { readonly tenant: string; readonly table: PolicyTable }): ReactElement {
  const { tenant, table } = props
  const Icon = table.rls_enabled ? ShieldCheck : ShieldOff
  return (
    <li className="border-b last:border-b-0">
      <Link
        to="/t/$tenant/policies/$table"
        params={{ tenant, table: table.name }}
        className="flex h-8 items-center gap-3 px-3 hover:bg-surface-1"
      >
        <Icon
          role="img"
          aria-label={table.rls_enabled ? 'row-level security on' : 'row-level security off'}
          size={14}
          className={table.rls_enabled ? 'shrink-0 text-allowed' : 'shrink-0 text-refused'}
        />
        <span className="w-48 shrink-0 truncate font-mono">{table.name}</span>
        <span className="min-w-0 truncate font-mono text-small text-ink-dim">
          {table.policies.map(({ name }) => name).join(' · ') || 'no policies'}
        </span>
      </Link>
    </li>
  )
}

function OpenTable(props: { readonly tenant: string; readonly name: string }): ReactElement {
  const { tenant, name } = props
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: name }}
      className="text-accent hover:underline"
    >
      View policies
    </Link>
  )
}

function gravity({ warnings }: PolicyTable): number {
  return warnings.filter(isGrave).length
}

/** Shows the table's warnings and its number of policies in the rail. */
export function railTable(table: PolicyTable, isView: boolean): RailTable {
  const { warnings, policies } = table
  return {
    name: table.name,
    isView,
    isClosed: table.is_closed,
    isSecured: table.rls_enabled,
    warnings: { count: warnings.length, isGrave: warnings.some(isGrave) },
    beside: isView ? 'view' : table.is_closed ? '' : <PolicyCount count={policies.length} />,
  }
}

/** A narrow rail shows only the number, so that more of each table's name fits. */
function PolicyCount({ count }: { readonly count: number }): ReactElement {
  const [number = '', word = ''] = countOf(count, 'policy', 'policies').split(' ')
  return (
    <span title={`${number} ${word}`}>
      {number} <span className="max-md:sr-only">{word}</span>
    </span>
  )
}

/** Shows beside the table's name whether row-level security is on. */
export function TableState({ table }: { readonly table: PolicyTable }): ReactElement {
  if (table.is_closed) return <Chip>closed to all project credentials</Chip>
  return (
    <>
      <Chip tone={table.rls_enabled ? 'allowed' : 'refused'}>
        {table.rls_enabled ? 'RLS on' : 'RLS off'}
      </Chip>
      {table.rls_forced && <Chip>forced on the owner</Chip>}
    </>
  )
}
