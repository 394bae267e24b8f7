// The realtime screen shows row changes with the verdict for each subscriber, open connections, and test channels.
import { useParams, useSearch } from '@tanstack/react-router'
import { TableProperties } from 'lucide-react'
import { type ReactElement, useCallback } from 'react'
import { useRealtimeOverview } from '../../api/realtime.ts'
import { useChangeSearch, useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { countOf } from '../../ui/form-values.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChangeRowSheet } from './change-row/change-row-sheet.tsx'
import { ChangesView } from './changes/changes-view.tsx'
import { ConnectionsView } from './connections-view.tsx'
import type { RealtimeSearch, RealtimeView } from './realtime-search.ts'
import { isOpen } from './test-channels/probe-model.ts'
import { useProbes } from './test-channels/probes.ts'
import { TestChannelsView } from './test-channels/test-channels-view.tsx'
import { VIEWS } from './texts.ts'

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
  const close = useCallback(
    () => change({ sheet: undefined, rows: undefined, row: undefined }),
    [change],
  )
  return (
    <>
      <PageHeader
        title="Realtime"
        beside={
          overview.data === undefined ? undefined : (
            <span>
              {countOf(connections, 'connection')}
              {tables.length === 0 ? '' : ` · subscribed tables: ${tables.join(', ')}`}
            </span>
          )
        }
        actions={
          <Button icon={<TableProperties />} onClick={() => change({ sheet: 'row' })}>
            Change a row
          </Button>
        }
      />
      <SheetLayout
        sheet={
          search.sheet === 'row' && (
            <ChangeRowSheet
              key={tenant}
              tenant={tenant}
              captured={tables}
              table={search.rows}
              row={search.row}
              onTable={(rows) => change({ rows, row: undefined })}
              onClose={close}
            />
          )
        }
      >
        <Tabs
          label="Realtime"
          value={view}
          onChange={show}
          tabs={[
            { value: 'changes', label: VIEWS.changes },
            { value: 'connections', label: VIEWS.connections, beside: badge(connections) },
            { value: 'try', label: VIEWS.try, beside: badge(joined.filter(isOpen).length) },
          ]}
        >
          {view === 'changes' && (
            <ChangesView
              key={tenant}
              tenant={tenant}
              search={search}
              onSearch={set}
              onTry={() => show('try')}
            />
          )}
          {view === 'connections' && (
            <ConnectionsView tenant={tenant} overview={overview} onTry={() => show('try')} />
          )}
          {view === 'try' && <TestChannelsView key={tenant} tenant={tenant} probes={joined} />}
        </Tabs>
      </SheetLayout>
    </>
  )
}

function badge(count: number): ReactElement | undefined {
  return count === 0 ? undefined : <span className="text-small tabular-nums">{count}</span>
}
