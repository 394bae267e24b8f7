// Finds late events: the recording may lack them only because its client had closed the socket, or had left the channel. Pure.
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { parseInstant } from '../../../core/time.ts'
import type { HarEntry } from '../har/har.ts'
import { readFrame } from './frames.ts'

/** When a recorded client stopped receiving events, in epoch milliseconds of the recording. */
export interface ClientEnds {
  /** Time at which the client closed the socket; `undefined` when the server closed it. */
  readonly socket: number | undefined
  /** Times at which the client left a channel, by the channel's recorded topic. */
  readonly left: ReadonlyMap<string, readonly number[]>
}

/** An event of the replay. */
export interface ReplayedEvent {
  readonly value: JsonValue
  /** Number of the event's frame among all frames that the socket received, from 0. */
  readonly frame: number
}

/** What is known of the recorded client and of the replay's progress. */
export interface Endings {
  readonly ends: ClientEnds
  /**
   * Returns the place that the replay had reached in the recording when this frame arrived, in epoch milliseconds of the
   * recording.
   */
  readonly placeOf: (frame: number) => number
}

/** Maximum time that an event takes. An event that takes longer is lost. */
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
 * Returns the indexes of additional events that are late. The recorded client ended within the time that such an event takes.
 * After the events, the channel received only the confirmation of its end.
 * @param extra indexes of the events that the recording does not have
 * @param topic recorded name of the topic of all `events`
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
