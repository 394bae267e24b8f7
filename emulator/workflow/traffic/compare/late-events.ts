// Finds events that the recording may lack only because its client had closed the socket, or had left the channel. Pure.
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { parseInstant } from '../../../core/time.ts'
import type { HarEntry } from '../har/har.ts'
import { readFrame } from './frames.ts'

/** When a recorded client stopped to receive events. Times are epoch milliseconds of the recording. */
export interface ClientEnds {
  /** `undefined` when the server closed the socket. */
  readonly socket: number | undefined
  /** Times at which the client left a channel, by the channel's recorded topic. */
  readonly left: ReadonlyMap<string, readonly number[]>
}

/** An event of the replay. */
export interface ReplayedEvent {
  readonly value: JsonValue
  /** Number of its frame among all that the socket received, from 0. */
  readonly frame: number
}

/** What is known of the recorded client and of the replay's progress. */
export interface Endings {
  readonly ends: ClientEnds
  /** Returns where the recording was when the replay received this frame, as epoch milliseconds of the recording. */
  readonly placeOf: (frame: number) => number
}

/** An event that takes longer than this is lost. */
export const EVENT_MILLIS = 2_000

export function clientEnds(entry: HarEntry): ClientEnds {
  const close = entry._webSocketClose
  const end =
    close === undefined
      ? (parseInstant(entry.startedDateTime) ?? 0) + entry.time
      : close.time * 1_000
  const left = new Map<string, number[]>()
  for (const frame of entry._webSocketMessages ?? []) {
    if (frame.type !== 'send') continue
    const { topic, value } = readFrame(frame, true)
    if (nameOf(value) === 'phx_leave')
      left.set(topic, [...(left.get(topic) ?? []), frame.time * 1_000])
  }
  return { socket: close?.by === 'server' ? undefined : end, left }
}

/**
 * Returns the places of additional events that are late. The client ended within the time that an event takes, and the channel
 * received nothing after them but the confirmation of its end.
 * @param extra places of the events that the recording does not have
 * @param topic of all `events`, as the recording has it
 */
export function lateOf(
  events: readonly ReplayedEvent[],
  extra: ReadonlySet<number>,
  topic: string,
  { ends: { left, socket }, placeOf }: Endings,
): ReadonlySet<number> {
  const ends = [...(left.get(topic) ?? []), ...(socket === undefined ? [] : [socket])]
  return new Set(
    [...extra].filter((place) => {
      const at = placeOf(events[place]?.frame ?? 0)
      return ends.some((end) => Math.abs(end - at) <= EVENT_MILLIS) && isLast(events, place, extra)
    }),
  )
}

function isLast(
  events: readonly ReplayedEvent[],
  place: number,
  extra: ReadonlySet<number>,
): boolean {
  for (let later = place + 1; later < events.length; later += 1) {
    const name = nameOf(events[later]?.value ?? null)
    if (name === 'phx_close') return true
    if (name !== 'phx_reply' && !extra.has(later)) return false
  }
  return true
}

function nameOf(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value['event'] : undefined
}
