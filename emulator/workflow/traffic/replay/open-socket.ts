// A socket that is open during the replay. Stores the frames of the recording, and how far the replay had come when each frame
// arrived.
import { parseInstant } from '../../../core/time.ts'
import type { HarEntry, HarFrame } from '../har/har.ts'
import type { ReplaySocket } from './replay-socket.ts'
import type { Step } from './timeline.ts'

export interface OpenSocket {
  readonly socket: ReplaySocket
  /** Frames that the recorded client received. */
  readonly expected: readonly HarFrame[]
  /** Platform time when the replay opened the socket. */
  readonly startedAt: number
  /** Number of received frames from which the replay has already learned pairs of values. */
  learned: number
  /** Notes the place that the replay has reached. @param at place in the recording, in epoch milliseconds */
  reach(at: number): void
  /**
   * Returns the recorded time that the replay had reached when the socket received frame number `frame`, in milliseconds since
   * the Unix epoch.
   */
  placeOf(frame: number): number
}

export function openSocket(entry: HarEntry, socket: ReplaySocket, startedAt: number): OpenSocket {
  const expected = (entry._webSocketMessages ?? []).filter(({ type }) => type === 'receive')
  const places = [{ from: 0, at: startOf(entry) }]
  return {
    socket,
    expected,
    startedAt,
    learned: 0,
    reach: (at) => {
      const from = socket.received.length
      if (places.at(-1)?.from === from) places.pop()
      places.push({ from, at })
    },
    placeOf: (frame) => places.findLast(({ from }) => from <= frame)?.at ?? startOf(entry),
  }
}

/**
 * Returns the time of the step in the recording, in epoch milliseconds. A request counts at its end, because its effect happens
 * before that.
 */
export function timeOf(step: Step): number {
  const { entry } = step
  if (step.kind === 'send') return step.frame.time * 1_000
  return startOf(entry) + (step.kind === 'open' ? 0 : entry.time)
}

/** Returns the start of the recorded request, in epoch milliseconds. */
export function startOf({ startedDateTime }: HarEntry): number {
  return parseInstant(startedDateTime) ?? 0
}
