// Follows the journal's requests for telemetry: adds the recording of each request, and holds refused requests until their
// explanation is known. Runs after the answer was sent.
import type { AccessChain } from '../../contract/explain.ts'
import type { Cancel, Clock } from '../../core/clock.ts'
import { type EpochMillis, plusMillis } from '../../core/time.ts'
import type { Journal } from '../journal/journal.ts'
import type { NumberedRequest } from '../journal/journal-rows.ts'
import type { TimedRequest } from '../journal/recording/kept-request.ts'
import type { Recordings } from '../journal/recording/recorder.ts'

/** A finished request with what the journal knows about it. */
export interface FollowedRequest extends Pick<NumberedRequest, 'arrivedAt' | 'finished'> {
  /** Absent for requests of the Postgres port and of sockets. */
  readonly timed: TimedRequest | undefined
  /** Why the request was refused. Absent when the explanation took too long. */
  readonly explanation?: AccessChain | undefined
}

export interface FollowDeps {
  readonly journal: Pick<Journal, 'listen' | 'listenExplanations'>
  readonly recordings: Pick<Recordings, 'findTimed'>
  readonly wallClock: Clock
  /** Gets the requests in batches, outside of any request. */
  readonly take: (requests: readonly FollowedRequest[]) => void
}

/** Wall-clock milliseconds between two batches. */
const BATCH_MILLIS = 200
/** Wall-clock milliseconds that a refused request waits for its explanation, which usually takes a few milliseconds. */
const HOLD_MILLIS = 2_000
/** Maximum number of requests between two batches. The oldest are dropped, as the SDK's own queue does. */
const MAX_HELD = 4_096

interface Held {
  readonly request: FollowedRequest
  /** When the request is passed on, explained or not. */
  readonly due: EpochMillis | undefined
}

/** Returns the function that passes on everything that is held. */
export function followRequests(deps: FollowDeps): { flush(): void } {
  const { journal, recordings, take, wallClock } = deps
  const held = new Map<string, Held>()
  let scheduled: Cancel | undefined

  function passOn(isFlush: boolean): void {
    scheduled?.()
    scheduled = undefined
    const now = wallClock.now()
    const ready: FollowedRequest[] = []
    for (const [requestId, { due, request }] of held)
      if (isFlush || due === undefined || due <= now) {
        held.delete(requestId)
        ready.push(request)
      }
    if (held.size > 0) schedule()
    take(ready)
  }

  function schedule(): void {
    scheduled ??= wallClock.after(BATCH_MILLIS, () => passOn(false))
  }

  journal.listen(({ arrivedAt, finished }) => {
    const { requestId, status } = finished
    const timed = recordings.findTimed(requestId)
    const due = status >= 400 ? plusMillis(wallClock.now(), HOLD_MILLIS) : undefined
    if (held.size >= MAX_HELD) held.delete(held.keys().next().value ?? '')
    held.set(requestId, { request: { arrivedAt, finished, timed }, due })
    schedule()
  })
  journal.listenExplanations((explanation) => {
    const known = held.get(explanation.request_id)
    if (known === undefined) return
    held.set(explanation.request_id, { request: { ...known.request, explanation }, due: undefined })
  })
  return { flush: () => passOn(true) }
}
