// Shows the traffic of at most the last hour as a small chart, with the totals of the journal.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Home } from '../../../emulator/contract/home.ts'
import { useIsClockMoved } from '../../api/platform-clock.ts'
import { parseInstant } from '../../api/time.ts'
import { RateBars } from '../../parts/requests/timeline-chart.tsx'
import { peakWords } from '../../parts/requests/timeline-words.ts'
import { exactTime } from '../../ui/format.ts'
import { totalWords } from './problem-words.ts'

export function HomeTraffic({ home }: { readonly home: Home }): ReactElement {
  const { requests, traffic } = home
  const isMoved = useIsClockMoved()
  const from = parseInstant(traffic.from) ?? 0
  const to = from + traffic.step_ms * traffic.steps.length
  if (requests.total === 0)
    return <p className="px-4 py-3 text-ink-dim">No requests yet. Their rate appears here.</p>
  return (
    <figure className="flex flex-col gap-1 px-4 py-3">
      <RateBars steps={traffic.steps} className="h-10" />
      <div className="flex justify-between border-t pt-[2px] text-small text-ink-dim tabular-nums">
        <span>{exactTime(from).slice(11, 19)}</span>
        <span>peak {peakWords({ steps: traffic.steps, stepMillis: traffic.step_ms })}</span>
        <span>{exactTime(to).slice(11, 19)}</span>
      </div>
      <figcaption className="text-small text-ink-dim">
        {totalWords(requests)}
        {isMoved && <span className="block">in machine time, not platform time</span>}
      </figcaption>
    </figure>
  )
}

/** A link to the requests screen. */
export function TrafficLink(): ReactElement {
  return (
    <Link to="/requests" className="text-accent hover:underline">
      Open requests
    </Link>
  )
}
