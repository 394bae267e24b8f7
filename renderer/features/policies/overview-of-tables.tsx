// All tables at a glance: which are secured, by how many policies, and what is doubtful.
import { Link } from '@tanstack/react-router'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { isGrave, WarningList } from '../../parts/warning-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/sheet.tsx'

type PolicyTable = PolicyOverview['tables'][number]

export function OverviewOfTables({
  tenant,
  tables,
}: {
  readonly tenant: string
  readonly tables: readonly PolicyTable[]
}): ReactElement {
  const open = tables.filter(({ is_closed }) => !is_closed)
  const warned = open
    .filter(({ warnings }) => warnings.length > 0)
    .toSorted((one, other) => gravity(other) - gravity(one))
  const secured = open.filter(({ rls_enabled }) => rls_enabled).length
  return (
    <>
      <PageHeader
        title="Policies and decisions"
        beside={
          <span>
            {secured} of {open.length} tables with row-level security
          </span>
        }
      />
      {open.length === 0 ? (
        <EmptyState title="No tables yet" detail="Create one in the SQL console." />
      ) : (
        <div className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-6 overflow-auto p-4">
          {warned.length === 0 ? (
            <p className="flex items-center gap-2 text-allowed">
              <ShieldCheck aria-hidden size={14} />
              Nothing doubtful about any table.
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

function TableLine({
  tenant,
  table,
}: {
  readonly tenant: string
  readonly table: PolicyTable
}): ReactElement {
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
          {table.policies.map(({ name }) => name).join(' · ') || 'no policy'}
        </span>
      </Link>
    </li>
  )
}

function OpenTable({
  tenant,
  name,
}: {
  readonly tenant: string
  readonly name: string
}): ReactElement {
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: name }}
      className="text-accent hover:underline"
    >
      Its policies
    </Link>
  )
}

function gravity({ warnings }: PolicyTable): number {
  return warnings.filter(isGrave).length
}
