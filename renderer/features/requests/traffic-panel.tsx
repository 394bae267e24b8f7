// The part of the requests screen with the traffic timeline. The browser remembers whether this part is open.
import { ChartColumn } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TimeSpan } from '../../parts/requests/timeline.ts'
import { TrafficTimeline } from '../../parts/requests/traffic-timeline.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import type { FilteredRequests } from './filter-requests.ts'
import { brushOf, chosenOf, type RequestsSearch, withToggled } from './requests-search.ts'

export interface TrafficView {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

export function useTrafficView(): TrafficView {
  const [isOpen, setOpen] = useRemembered('requests.traffic', true)
  return { isOpen, setOpen }
}

export function TrafficButton({ isOpen, setOpen }: TrafficView): ReactElement {
  return (
    <Button aria-expanded={isOpen} icon={<ChartColumn />} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Hide traffic' : 'Show traffic'}
    </Button>
  )
}

export function TrafficPanel(props: {
  readonly filtered: FilteredRequests
  /** Whether the first requests are not loaded yet. */
  readonly isLoading: boolean
  /** Whether all requests are loaded. */
  readonly isWhole: boolean
  readonly search: RequestsSearch
  readonly onSearch: (search: RequestsSearch) => void
}): ReactElement {
  const { filtered, isLoading, isWhole, search, onSearch } = props
  return (
    <section aria-label="Traffic" className="shrink-0 border-b bg-surface-1">
      {isLoading ? (
        <Loading label="Loading traffic" lines={3} />
      ) : (
        <TrafficTimeline
          entries={filtered.atAnyTime}
          isWhole={isWhole}
          brush={brushOf(search)}
          onBrush={(brush) => onSearch({ ...search, ...spanMembers(brush) })}
          reach={search.reach ?? 'recent'}
          onReach={(reach) =>
            onSearch({ ...search, reach: reach === 'recent' ? undefined : reach })
          }
          codes={chosenOf(search, 'code')}
          onCode={(code) => onSearch(withToggled(search, 'code', code))}
        />
      )}
    </section>
  )
}

function spanMembers(brush: TimeSpan | undefined): Pick<RequestsSearch, 'from' | 'to'> {
  return { from: brush?.from, to: brush?.to }
}
