// Policies and decisions: what the policies of a table say, and what they decide for anybody, row by row.
import { type ReactElement, useMemo } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { usePolicies } from '../../api/explain.ts'
import { useTables } from '../../api/tables.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { TableRail } from '../../parts/table-rail.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { DecideView } from './decide-view.tsx'
import { MatrixView } from './matrix-view.tsx'
import { OverviewOfTables } from './overview-of-tables.tsx'
import type { PoliciesView } from './policies-search.ts'
import { RulesView } from './rules-view.tsx'
import { railTable, State } from './table-state.tsx'
import { type PoliciesAddress, usePoliciesAddress } from './use-policies-address.ts'

type PolicyTable = PolicyOverview['tables'][number]

export function PoliciesPage(): ReactElement {
  const address = usePoliciesAddress()
  const { tenant, table: name, search } = address
  const overview = usePolicies(tenant)
  const views = new Set(
    (useTables(tenant).data?.tables ?? []).flatMap(({ name: own, kind }) =>
      kind === 'view' || kind === 'materialized_view' ? own : [],
    ),
  )
  if (overview.isError)
    return (
      <>
        <PageHeader title="Policies and decisions" />
        <Failed
          title="The policies could not be read"
          error={overview.error}
          retry={() => void overview.refetch()}
        />
      </>
    )
  if (overview.data === undefined)
    return (
      <>
        <PageHeader title="Policies and decisions" />
        <Loading label="Loading policies" />
      </>
    )
  const { tables } = overview.data
  const table = tables.find((one) => one.name === name)
  return (
    <div className="flex min-h-0 flex-1">
      <TableRail
        label="Tables and their policies"
        screen="/t/$tenant/policies/$table"
        tenant={tenant}
        chosen={name}
        tables={tables.map((one) => railTable(one, views.has(one.name)))}
        search={{
          ...(search.as === undefined ? {} : { as: search.as }),
          ...(search.view === undefined ? {} : { view: search.view }),
        }}
      />
      <div className="flex min-w-0 flex-1 flex-col">
        {table !== undefined ? (
          <PoliciesOfTable key={`${tenant} ${table.name}`} address={address} table={table} />
        ) : name === undefined ? (
          <OverviewOfTables
            tenant={tenant}
            tables={tables.filter((one) => !views.has(one.name) || one.warnings.length > 0)}
          />
        ) : (
          <>
            <PageHeader title={name} />
            <EmptyState title="No such table" detail={`${tenant} has no table of that name.`} />
          </>
        )}
      </div>
    </div>
  )
}

function PoliciesOfTable({
  address,
  table,
}: {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
}): ReactElement {
  const tabs: readonly Tab<PoliciesView>[] = [
    {
      value: 'rules',
      label: 'Policies',
      beside: <span className="text-small text-ink-dim">{table.policies.length}</span>,
    },
    { value: 'rows', label: 'Decisions' },
    { value: 'matrix', label: 'Row × identity' },
  ]
  const { show } = useLatest({ show: address.show })
  usePaletteActions(
    useMemo(() => {
      const group = `Policies of ${table.name}`
      return [
        { id: 'policies.rules', label: 'Policies', group, run: () => show('rules') },
        { id: 'policies.rows', label: 'Decisions, row by row', group, run: () => show('rows') },
        { id: 'policies.matrix', label: 'Row × identity', group, run: () => show('matrix') },
      ]
    }, [table.name, show]),
  )
  return (
    <>
      <PageHeader title={table.name} beside={<State table={table} />} />
      <Tabs
        label="Policies and decisions"
        value={address.view}
        tabs={table.is_closed ? tabs.slice(0, 1) : tabs}
        onChange={address.show}
      >
        {address.view === 'rows' && !table.is_closed ? (
          <DecideView address={address} table={table.name} />
        ) : address.view === 'matrix' && !table.is_closed ? (
          <MatrixView address={address} table={table.name} />
        ) : (
          <RulesView tenant={address.tenant} table={table} />
        )}
      </Tabs>
    </>
  )
}
