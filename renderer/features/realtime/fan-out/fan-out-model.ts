// Builds the lanes of the fan-out. A lane groups the subscribers of a change by identity and verdict. Pure.
import type { ChangeVerdict } from '../../../../emulator/contract/realtime.ts'
import { VERDICT_ORDER, type Verdict } from '../../../parts/change-verdicts.ts'

export interface Lane {
  /** The lane keeps this id while the change is on the screen. */
  readonly id: string
  readonly verdict: Verdict
  readonly role: string
  readonly subject: string
  /** The topics of the lane's channels, as in the protocol. */
  readonly topics: readonly string[]
  readonly policies: readonly string[]
  readonly reason: string | null
  /**
   * The time until the slowest channel received the change, in wall-clock milliseconds. `null` when the change was not
   * delivered.
   */
  readonly latencyMillis: number | null
}

export interface FanOut {
  readonly lanes: readonly Lane[]
  /** The number of lanes beyond the limit, by verdict. The drawing omits these lanes. */
  readonly rest: readonly { readonly verdict: Verdict; readonly count: number }[]
  readonly subscribers: number
}

/** The maximum number of lanes that the drawing shows. */
export const MOST_LANES = 24

/** Puts delivered lanes first, the fastest at the top. Sorts the other lanes by verdict. */
export function fanOutOf(verdicts: readonly ChangeVerdict[], most: number = MOST_LANES): FanOut {
  const groups = Map.groupBy(verdicts, laneIdOf)
  const lanes = [...groups].map(([id, members]) => laneOf(id, members)).sort(compareLanes)
  const left = Map.groupBy(lanes.slice(most), ({ verdict }) => verdict)
  return {
    lanes: lanes.slice(0, most),
    rest: [...left].map(([verdict, { length: count }]) => ({ verdict, count })),
    subscribers: verdicts.length,
  }
}

/** Returns the topic without the protocol's prefix `realtime:`. */
export function channelName(topic: string): string {
  return topic.replace(/^realtime:/, '')
}

function laneIdOf({ role, subject, verdict, policies, reason }: ChangeVerdict): string {
  return JSON.stringify([role, subject, verdict, policies, reason])
}

function laneOf(id: string, members: readonly ChangeVerdict[]): Lane {
  const [first] = members
  if (first === undefined) throw new Error('A lane must have a subscriber')
  const latencies = members.flatMap(({ latency_ms: latency }) => latency ?? [])
  return {
    id,
    verdict: first.verdict,
    role: first.role,
    subject: first.subject,
    topics: members.map(({ topic }) => topic),
    policies: first.policies,
    reason: first.reason,
    latencyMillis: latencies.length === 0 ? null : Math.max(...latencies),
  }
}

function compareLanes(a: Lane, b: Lane): number {
  return (
    VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict) ||
    (a.latencyMillis ?? 0) - (b.latencyMillis ?? 0) ||
    a.id.localeCompare(b.id)
  )
}
