// The policies screen shows the policies of a table, and their decision for each identity and row.
import { type ReactElement, useMemo } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { usePolicies } from '../../api/explain.ts'
import { useTables } from '../../api/tables.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { TableRail } from '../../parts/table-rail.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { DecideView } from './decide-view.tsx'
import { MatrixView } from './matrix-view.tsx'
import type { PoliciesView } from './policies-search.ts'
import { RulesView } from './rules-view.tsx'
import { railTable, TableState, TablesOverview } from './tables-overview.tsx'
import { TITLE, unknownTableText, VIEWS } from './texts.ts'
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
  if (overview.data === undefined)
    return (
      <>
        <PageHeader title={TITLE} />
        <Loaded query={overview} what="policies">
          {() => undefined}
        </Loaded>
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
        search={{ as: search.as, view: search.view }}
      />
      <div className="flex min-w-0 flex-1 flex-col">
        {table !== undefined ? (
          <PoliciesOfTable key={`${tenant} ${table.name}`} address={address} table={table} />
        ) : name === undefined ? (
          <TablesOverview
            tenant={tenant}
            tables={tables.filter((one) => !views.has(one.name) || one.warnings.length > 0)}
          />
        ) : (
          <>
            <PageHeader title={name} />
            <EmptyState title="Table not found" detail={unknownTableText(tenant, name)} />
          </>
        )}
      </div>
    </div>
  )
}

function PoliciesOfTable(props: {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
}): ReactElement {
  const { address, table } = props
  const tabs: readonly Tab<PoliciesView>[] = [
    {
      value: 'rules',
      label: VIEWS.rules,
      beside: <span className="text-small text-ink-dim">{table.policies.length}</span>,
    },
    { value: 'rows', label: VIEWS.rows },
    { value: 'matrix', label: VIEWS.matrix },
  ]
  const { show } = useLatest({ show: address.show })
  usePaletteActions(
    useMemo(() => {
      const group = `Policies of ${table.name}`
      return [
        { id: 'policies.rules', label: VIEWS.rules, group, run: () => show('rules') },
        { id: 'policies.rows', label: VIEWS.rows, group, run: () => show('rows') },
        { id: 'policies.matrix', label: VIEWS.matrix, group, run: () => show('matrix') },
      ]
    }, [table.name, show]),
  )
  return (
    <>
      <PageHeader title={table.name} beside={<TableState table={table} />} />
      <Tabs
        label={TITLE}
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
