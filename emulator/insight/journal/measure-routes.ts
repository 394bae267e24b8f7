// Measures the requests of each route: their number, durations and refusals (contract/journal.ts). Pure.
import type { JournalEntry, JournalRoutes, RouteSummary } from '../../contract/journal.ts'
import { requestRoute } from '../../contract/request-route.ts'

/** The members of a journal entry that the measurement needs. */
export type MeasuredRequest = Pick<
  JournalEntry,
  'request_id' | 'method' | 'service' | 'target' | 'status' | 'duration_ms'
>

/** Returns the `limit` routes with the highest p95, and the number of all routes. */
export function measureRoutes(requests: readonly MeasuredRequest[], limit: number): JournalRoutes {
  const byRoute = new Map<string, MeasuredRequest[]>()
  for (const request of requests) {
    const route = requestRoute(request)
    const known = byRoute.get(route)
    if (known === undefined) byRoute.set(route, [request])
    else known.push(request)
  }
  const routes = [...byRoute].map(([route, all]) => summaryOf(route, all))
  return {
    requests: requests.length,
    total: routes.length,
    routes: routes.toSorted((one, other) => other.p95_ms - one.p95_ms).slice(0, limit),
  }
}

function summaryOf(route: string, requests: readonly MeasuredRequest[]): RouteSummary {
  const sorted = requests.toSorted((one, other) => one.duration_ms - other.duration_ms)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  return {
    route,
    count: sorted.length,
    refused: sorted.filter(({ status }) => status >= 400).length,
    p50_ms: at(0.5)?.duration_ms ?? 0,
    p95_ms: at(0.95)?.duration_ms ?? 0,
    slowest: at(1)?.request_id ?? '',
  }
}
