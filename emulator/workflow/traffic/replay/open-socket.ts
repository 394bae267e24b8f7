// A socket that is open in the replay: what the recording received, and where the replay was when each frame arrived.
import { parseInstant } from '../../../core/time.ts'
import type { HarEntry, HarFrame } from '../har/har.ts'
import type { ReplaySocket } from './replay-socket.ts'
import type { Step } from './timeline.ts'

export interface OpenSocket {
  readonly socket: ReplaySocket
  /** Frames that the recording received. */
  readonly expected: readonly HarFrame[]
  /** Platform time at the start. */
  readonly startedAt: number
  /** Number of frames that were used for learning. */
  learned: number
  /** Notes that the replay reached a place. @param at epoch milliseconds of the recording */
  reach(at: number): void
  /** Returns where the recording was when this frame arrived, as epoch milliseconds of the recording. */
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
 * Returns when the recording took the step, as epoch milliseconds. The effect of a request happens no later than its end.
 */
export function timeOf(step: Step): number {
  const { entry } = step
  if (step.kind === 'send') return step.frame.time * 1_000
  return startOf(entry) + (step.kind === 'open' ? 0 : entry.time)
}

/** Returns when the recorded request started, as epoch milliseconds. */
export function startOf({ startedDateTime }: HarEntry): number {
  return parseInstant(startedDateTime) ?? 0
}
