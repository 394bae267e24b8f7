// The live stream of row changes beside the fan-out of the chosen one.
import { Radio } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { CHANGE_COLUMNS } from './change-columns.tsx'
import { filterChanges } from './change-list.ts'
import { ChangesToolbar } from './changes-toolbar.tsx'
import { FanOutPanel } from './fan-out-panel.tsx'
import type { RealtimeSearch } from './realtime-search.ts'
import { type ChangeTail, useChangeTail } from './use-changes.ts'

export interface ChangesViewProps {
  readonly tenant: string
  readonly search: RealtimeSearch
  readonly onSearch: (search: RealtimeSearch) => void
  readonly onTry: () => void
}

export function ChangesView({ tenant, search, onSearch, onTry }: ChangesViewProps): ReactElement {
  const tail = useChangeTail(tenant)
  const shown = useMemo(() => filterChanges(tail.changes, search), [tail.changes, search])
  const chosen =
    search.change === undefined
      ? shown[0]
      : tail.changes.find(({ number }) => number === search.change)
  return (
    <>
      <ChangesToolbar tail={tail} search={search} onSearch={onSearch} />
      <Splitter
        name="realtime"
        label="Resize the list of changes"
        initial={500}
        min={280}
        first={
          <DataGrid
            label="Row changes"
            name="changes"
            columns={CHANGE_COLUMNS}
            rows={shown}
            rowKey={({ number }) => String(number)}
            rowClass={({ number }) =>
              number === tail.changes[0]?.number ? 'animate-arrive' : undefined
            }
            keepsPlace
            selected={chosen === undefined ? undefined : String(chosen.number)}
            onSelect={(_key, { number }) => onSearch({ ...search, change: number })}
            empty={<NoChanges tail={tail} search={search} onTry={onTry} />}
          />
        }
        second={
          chosen === undefined ? (
            <EmptyState
              title={
                search.change === undefined ? 'No change chosen' : 'That change is no longer kept'
              }
              detail="Its subscribers show here, with what became of it for each."
            />
          ) : (
            <FanOutPanel key={chosen.number} tenant={tenant} change={chosen} />
          )
        }
      />
    </>
  )
}

function NoChanges({
  tail,
  search,
  onTry,
}: Pick<ChangesViewProps, 'search' | 'onTry'> & { readonly tail: ChangeTail }): ReactElement {
  if (tail.error !== null)
    return <Failed title="The changes could not be read" error={tail.error} retry={tail.retry} />
  if (tail.isLoading) return <Loading label="Loading changes" />
  if (tail.changes.length > 0)
    return (
      <EmptyState
        title="No change matches"
        detail={`Among ${tail.changes.length} that are kept.`}
      />
    )
  return (
    <EmptyState
      icon={<Radio aria-hidden="true" />}
      title="No changes yet"
      detail="Rows are watched while somebody is subscribed to their table."
      action={search.view === 'try' ? undefined : <Button onClick={onTry}>Join a channel</Button>}
    />
  )
}
