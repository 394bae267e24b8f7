// Measuring functions of the bench: medians, percentiles, loops of requests, memory and processor time.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop {
  readonly perSecond: number
  readonly p50Micros: number
  readonly p99Micros: number
  /** The variation of the latency within the loop, as a fraction of the median. */
  readonly spread: number
}

/** Runs `once(lane)` on `lanes` parallel lanes for about `millis` milliseconds, after a warm-up of a fifth of this time. */
export async function closedLoop(
  lanes: number,
  millis: number,
  once: (lane: number) => Promise<void>,
): Promise<Loop> {
  await runLanes(lanes, millis / 5, once)
  const started = performance.now()
  const latencies = await runLanes(lanes, millis, once)
  const seconds = (performance.now() - started) / 1000
  return {
    perSecond: latencies.length / seconds,
    p50Micros: percentile(latencies, 50) * 1000,
    p99Micros: percentile(latencies, 99) * 1000,
    spread: spreadOf(latencies),
  }
}

export interface Steady {
  readonly p50Millis: number
  readonly p99Millis: number
  readonly worstMillis: number
}

/** Starts `once` at a steady rate, whether or not earlier calls have ended, after a warm-up of a tenth of `millis`. */
export async function steadyLoop(
  perSecond: number,
  millis: number,
  once: () => Promise<void>,
): Promise<Steady> {
  const started = performance.now()
  const warm = started + millis / 10
  const calls: Promise<void>[] = []
  const latencies: number[] = []
  const call = async (due: number): Promise<void> => {
    const sent = performance.now()
    await once()
    if (due >= warm) latencies.push(performance.now() - sent)
  }
  for (let due = started; due < started + millis; due += 1_000 / perSecond) {
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    calls.push(call(due))
  }
  await Promise.all(calls)
  return {
    p50Millis: percentile(latencies, 50),
    p99Millis: percentile(latencies, 99),
    worstMillis: Math.max(...latencies),
  }
}

const PARTS = 8

// The spread between the medians of equal parts of the loop.
function spreadOf(latencies: readonly number[]): number {
  const size = Math.max(1, Math.ceil(latencies.length / PARTS))
  const parts: number[] = []
  for (let at = 0; at < latencies.length; at += size)
    parts.push(median(latencies.slice(at, at + size)))
  return spread(parts)
}

/** The distance from the lowest to the highest value, as a fraction of the median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

async function runLanes(
  lanes: number,
  millis: number,
  once: (lane: number) => Promise<void>,
): Promise<number[]> {
  const latencies: number[] = []
  const until = performance.now() + millis
  const runLane = async (lane: number): Promise<void> => {
    while (performance.now() < until) {
      const sent = performance.now()
      await once(lane)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
  return latencies
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  )
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Resident, proportional and anonymous memory of a process in MiB (Linux; `undefined` elsewhere). */
export function memoryOf(
  pid: number,
): { readonly rssMib: number; readonly pssMib: number; readonly ownMib: number } | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const mib = (name: string): number =>
      Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1]) / 1024
    return { rssMib: mib('Rss'), pssMib: mib('Pss'), ownMib: mib('Pss_Anon') }
  } catch {
    return undefined
  }
}

/** Length of a Linux clock tick in milliseconds. Linux counts processor time in ticks. */
const TICK_MILLIS = 10

/** Processor time that a process has used, on Linux. @throws where the kernel does not report processor time */
export function processorMillis(pid: number): number {
  // Skips the name of the process, which is in parentheses and may contain spaces.
  const [, facts = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
  const fields = facts.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLIS
}
