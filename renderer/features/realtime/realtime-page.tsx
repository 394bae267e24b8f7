// Realtime: row changes and what became of each for every subscriber; who is connected; and a channel to try it.
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useRealtimeOverview } from '../../api/realtime.ts'
import { useChangeSearch, useSetSearch } from '../../parts/search.ts'
import { formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChangesView } from './changes-view.tsx'
import { ConnectionsView } from './connections-view.tsx'
import { useProbes } from './probes.ts'
import type { RealtimeSearch, RealtimeView } from './realtime-search.ts'
import { TryView } from './try-view.tsx'

export function RealtimePage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/realtime' })
  const search = useSearch({ from: '/t/$tenant/realtime' })
  const overview = useRealtimeOverview(tenant)
  const joined = useProbes().filter((probe) => probe.tenant === tenant)
  const view = search.view ?? 'changes'
  const set = useSetSearch<RealtimeSearch>()
  const change = useChangeSearch<RealtimeSearch>()
  const show = (next: RealtimeView) => change({ view: next === 'changes' ? undefined : next })
  const connections = overview.data?.connections.length ?? 0
  const tables = overview.data?.captured_tables ?? []
  return (
    <>
      <PageHeader
        title="Realtime"
        beside={
          overview.data === undefined ? undefined : (
            <span>
              {formatNumber(connections)} {connections === 1 ? 'connection' : 'connections'}
              {tables.length === 0 ? '' : ` · listening to ${tables.join(', ')}`}
            </span>
          )
        }
      />
      <Tabs
        label="Realtime"
        value={view}
        onChange={show}
        tabs={[
          { value: 'changes', label: 'Changes' },
          { value: 'connections', label: 'Connections', beside: countOf(connections) },
          { value: 'try', label: 'Try it', beside: countOf(joined.length) },
        ]}
      >
        {view === 'changes' ? (
          <ChangesView
            key={tenant}
            tenant={tenant}
            search={search}
            onSearch={set}
            onTry={() => show('try')}
          />
        ) : undefined}
        {view === 'connections' ? (
          <ConnectionsView tenant={tenant} overview={overview} onTry={() => show('try')} />
        ) : undefined}
        {view === 'try' ? <TryView key={tenant} tenant={tenant} probes={joined} /> : undefined}
      </Tabs>
    </>
  )
}

function countOf(count: number): ReactElement | undefined {
  return count === 0 ? undefined : <span className="text-small tabular-nums">{count}</span>
}
