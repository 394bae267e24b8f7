// Divides requests into equal steps of time, for the traffic timeline: rate, latency and refusals by code. Pure. Times are
// wall-clock milliseconds since 1970, because the platform clock may be frozen or moved.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { factsOf } from './request-facts.ts'
import { NOTHING } from './request-words.ts'

export interface TimeSpan {
  readonly from: number
  /** The first instant after the span. */
  readonly to: number
}

export interface TimelineStep {
  readonly from: number
  readonly total: number
  readonly refused: number
  /** Median duration in milliseconds; `undefined` for a step without requests. */
  readonly p50: number | undefined
  readonly p95: number | undefined
}

/** The refusals with the same error code. */
export interface RefusalLane {
  /** The error code. `undefined` for the lane that joins all less frequent codes. */
  readonly code: string | undefined
  readonly total: number
  /** The number of refusals in each step. */
  readonly counts: readonly number[]
}

export interface Timeline extends TimeSpan {
  /** Length of a step in milliseconds. */
  readonly stepMillis: number
  readonly steps: readonly TimelineStep[]
  readonly lanes: readonly RefusalLane[]
  readonly total: number
  readonly refused: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  /** Longest duration in milliseconds; `undefined` without requests. */
  readonly slowest: number | undefined
  /** Whether the list of requests shows other times than the timeline, because the platform clock was moved. */
  readonly isClockMoved: boolean
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEPS = [
  ...[100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24, 72, 168, 720].map((hours) => hours * HOUR),
]
const MOST_STEPS = 90
const MOST_LANES = 4
/** A longer pause separates recent traffic from older traffic. */
const PAUSE_MILLIS = 30 * MINUTE
const MOVED_MILLIS = 2 * SECOND

/**
 * Divides entries, newest first, into steps. The timeline ends with the newest entry. It begins after the last long pause, or
 * `reachMillis` earlier, but contains `brush` in any case. Returns `undefined` without entries.
 */
export function timelineOf(
  entries: readonly JournalEntry[],
  reachMillis: number | undefined,
  brush: TimeSpan | undefined,
): Timeline | undefined {
  const span = spanOf(entries, reachMillis, brush)
  if (span === undefined) return undefined
  const stepMillis = stepFor(span.to - span.from)
  const from = Math.floor(span.from / stepMillis) * stepMillis
  const count = Math.max(1, Math.ceil((span.to - from) / stepMillis))
  const within: JournalEntry[] = []
  const durations: number[][] = Array.from({ length: count }, () => [])
  const refused = new Array<number>(count).fill(0)
  const codes = new Map<string, number[]>()
  for (const entry of entries) {
    const facts = factsOf(entry)
    const place = Math.floor((facts.arrivedAt - from) / stepMillis)
    if (place < 0 || place >= count) continue
    within.push(entry)
    durations[place]?.push(entry.duration_ms)
    if (!facts.isRefused) continue
    refused[place] = (refused[place] ?? 0) + 1
    const code = facts.code === NOTHING ? String(entry.status) : facts.code
    countIn(codes, code, place, count)
  }
  const all = sorted(within.map((entry) => entry.duration_ms))
  return {
    from,
    to: from + count * stepMillis,
    stepMillis,
    steps: durations.map((millis, place) =>
      stepOf(from + place * stepMillis, sorted(millis), refused[place] ?? 0),
    ),
    lanes: lanesOf(codes, count),
    total: within.length,
    refused: refused.reduce((sum, number) => sum + number, 0),
    p50: quantile(all, 0.5),
    p95: quantile(all, 0.95),
    slowest: all.at(-1),
    isClockMoved: within.some(isMoved),
  }
}

/** Returns the steps that a span selects, at least one, as a span. */
export function onSteps(timeline: Timeline, one: number, other: number): TimeSpan {
  const { from, to, stepMillis } = timeline
  const first = Math.floor((Math.min(one, other) - from) / stepMillis)
  const last = Math.ceil((Math.max(one, other) - from) / stepMillis)
  const start = Math.min(Math.max(from, from + first * stepMillis), to - stepMillis)
  const end = Math.max(Math.min(to, from + last * stepMillis), start + stepMillis)
  return { from: start, to: end }
}

function spanOf(
  entries: readonly JournalEntry[],
  reachMillis: number | undefined,
  brush: TimeSpan | undefined,
): TimeSpan | undefined {
  const [newest] = entries
  if (newest === undefined) return brush
  const end = factsOf(newest).arrivedAt
  const begin =
    reachMillis === undefined
      ? beginOfRecent(entries, end)
      : beginWithin(entries, end - reachMillis)
  // The end is exclusive, so that one millisecond more includes the newest entry.
  return {
    from: Math.min(begin, brush?.from ?? begin),
    to: Math.max(end + 1, brush?.to ?? end + 1),
  }
}

function beginOfRecent(entries: readonly JournalEntry[], end: number): number {
  let begin = end
  for (const entry of entries) {
    const { arrivedAt } = factsOf(entry)
    if (begin - arrivedAt > PAUSE_MILLIS) break
    begin = Math.min(begin, arrivedAt)
  }
  return begin
}

function beginWithin(entries: readonly JournalEntry[], earliest: number): number {
  const oldest = entries.at(-1)
  return Math.max(earliest, oldest === undefined ? earliest : factsOf(oldest).arrivedAt)
}

function stepFor(millis: number): number {
  const longest = STEPS.at(-1) ?? HOUR
  return STEPS.find((step) => millis / step <= MOST_STEPS) ?? longest
}

function stepOf(from: number, millis: readonly number[], refused: number): TimelineStep {
  return {
    from,
    total: millis.length,
    refused,
    p50: quantile(millis, 0.5),
    p95: quantile(millis, 0.95),
  }
}

function countIn(codes: Map<string, number[]>, code: string, place: number, count: number): void {
  let counts = codes.get(code)
  if (counts === undefined) {
    counts = new Array<number>(count).fill(0)
    codes.set(code, counts)
  }
  counts[place] = (counts[place] ?? 0) + 1
}

function lanesOf(codes: ReadonlyMap<string, readonly number[]>, count: number): RefusalLane[] {
  const lanes = [...codes]
    .map(([code, counts]) => ({ code, counts, total: sumOf(counts) }))
    .sort((a, b) => b.total - a.total || a.code.localeCompare(b.code))
  const others = lanes.slice(MOST_LANES)
  if (others.length === 0) return lanes
  const counts = Array.from({ length: count }, (_, place) =>
    sumOf(others.map((lane) => lane.counts[place] ?? 0)),
  )
  return [...lanes.slice(0, MOST_LANES), { code: undefined, counts, total: sumOf(counts) }]
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function sorted(numbers: number[]): readonly number[] {
  return numbers.sort((a, b) => a - b)
}

/** The nearest-rank quantile. */
function quantile(ordered: readonly number[], part: number): number | undefined {
  return ordered[Math.max(0, Math.ceil(ordered.length * part) - 1)]
}

function isMoved(entry: JournalEntry): boolean {
  const { arrivedAt, receivedAt } = factsOf(entry)
  return Math.abs(arrivedAt - receivedAt) > MOVED_MILLIS
}
