// The result of a comparison: a score for each endpoint, and every difference. Pure.
import type { ComparedEndpoint, Comparison } from '../../../contract/comparisons.ts'
import type { Difference } from './difference.ts'
import type { Endpoint } from './endpoint.ts'

/** One request of the recording, after its replay. */
export interface ComparedRequest {
  readonly endpoint: Endpoint
  /** Number of the request in the recording, from 1. */
  readonly number: number
  /** Path and query, with masked secrets. */
  readonly target: string
  readonly tenant: string | null
  readonly identity: string | null
  readonly status: number
  readonly differences: readonly Difference[]
  /** Number of socket events that arrived only because the replay waited longer than the recorded client. */
  readonly lateEvents: number
  /** Why the request was not replayed. */
  readonly skipped?: string
}

export function comparisonOf(requests: readonly ComparedRequest[]): Comparison {
  const replayed = requests.filter(({ skipped }) => skipped === undefined)
  const agreeing = replayed.filter(({ differences }) => differences.length === 0)
  return {
    score: percentage(agreeing.length, replayed.length),
    endpoints: scoresOf(replayed),
    differences: replayed.flatMap(({ differences, endpoint, identity, number, target, tenant }) =>
      differences.map((found) => ({
        ...endpoint,
        request: number,
        target,
        tenant,
        identity,
        ...found,
      })),
    ),
    late_events: replayed.reduce((sum, { lateEvents }) => sum + lateEvents, 0),
    skipped: requests.flatMap(({ endpoint, number, skipped, target }) =>
      skipped === undefined ? [] : [{ ...endpoint, request: number, target, reason: skipped }],
    ),
  }
}

// Returns 100 only when all requests agree.
function percentage(part: number, whole: number): number {
  if (whole === 0) return 0
  const rounded = Math.round((part / whole) * 1_000) / 10

  return part < whole ? Math.min(rounded, 99.9) : rounded
}

function scoresOf(requests: readonly ComparedRequest[]): readonly ComparedEndpoint[] {
  const scores = new Map<string, ComparedEndpoint>()
  for (const { differences, endpoint } of requests) {
    const key = `${endpoint.route} ${endpoint.method}`
    const { agreeing = 0, requests: count = 0 } = scores.get(key) ?? {}
    const agrees = differences.length === 0 ? 1 : 0
    scores.set(key, { ...endpoint, requests: count + 1, agreeing: agreeing + agrees })
  }
  return [...scores.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, score]) => score)
}
