// The positions of the timeline: one just before each write, the oldest first, and the present as the last one. Pure.
import type { HistoryWrite, PastState } from '../../../../emulator/contract/history.ts'

/** Returns the instant just before the write, as the address and the API name it. */
export function instantBefore({ request_id: request, sequence }: HistoryWrite): string {
  return request ?? String(sequence)
}

export interface Position {
  /** The number of writes before the instant. */
  readonly index: number
  /** Whether the instant is exactly before the write at `index`, or the present. False between two writes. */
  readonly isExact: boolean
}

/**
 * @param steps the writes, the oldest first
 * @param at the chosen instant; the present when undefined
 * @param past the state of the instant, once it has loaded
 */
export function positionOf(
  steps: readonly HistoryWrite[],
  at: string | undefined,
  past: PastState | undefined,
): Position {
  if (at === undefined) return { index: steps.length, isExact: true }
  const exact = steps.findIndex((step) => instantBefore(step) === at)
  if (exact !== -1) return { index: exact, isExact: true }
  const first = past?.before_sequence ?? Number.POSITIVE_INFINITY
  const next = steps.findIndex(({ sequence }) => sequence >= first)
  return { index: next === -1 ? steps.length : next, isExact: false }
}

const PAGE = 10

/** Returns the index that a key moves to. Returns `undefined` for a key that does not move. */
export function movedBy(
  key: string,
  { index, isExact }: Position,
  last: number,
): number | undefined {
  const later = isExact ? index + 1 : index
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: later,
    ArrowUp: later,
    PageDown: index - PAGE,
    PageUp: index + PAGE,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), last)
}
