// Measures how slow the machine is, compared with a quiet machine of two cores. Time limits grow in the same proportion, so that
// a busy machine does not fail the run. A separate thread measures the processor, because the traffic of the soak would delay the
// main thread.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { median } from '../bench/measure.ts'

/** Wall-clock milliseconds on the quiet machine: to hash 64 MiB, and to write 256 KiB with fsync. */
const HASH_MILLIS = 40
const FSYNC_MILLIS = 20
const MEASURE_EVERY_MILLIS = 10_000
/** The largest factor by which time limits grow, even on a slower machine. */
const MOST_SLOWNESS = 30
const FSYNCS = 5
const HASHES = `const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const bytes = Buffer.alloc(1 << 20)
parentPort.on('message', () => {
  const started = performance.now()
  for (let piece = 0; piece < 64; piece += 1) createHash('sha256').update(bytes).digest()
  parentPort.postMessage(performance.now() - started)
})`

export interface Measured {
  /** When the measurement ended (`performance.now()`). */
  readonly at: number
  readonly processor: number
  readonly disk: number
}

const measured: Measured[] = []

/** Measures now and every ten seconds, until the process ends. */
export async function watchMachine(): Promise<void> {
  const worker = new Worker(HASHES, { eval: true })
  worker.unref()
  const measure = async (): Promise<void> => {
    const hashing = new Promise<number>((resolve) => worker.once('message', resolve))
    worker.postMessage(undefined)
    const processor = (await hashing) / HASH_MILLIS
    measured.push({ at: performance.now(), processor, disk: fsyncMillis() / FSYNC_MILLIS })
  }
  await measure()
  let isMeasuring = false
  setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    void measure().finally(() => {
      isMeasuring = false
    })
  }, MEASURE_EVERY_MILLIS).unref()
}

/** The largest factor since `since` by which this machine was slower than the quiet machine; at least 1. */
export function slownessSince(since: number, all: readonly Measured[] = measured): number {
  const during = all.findIndex(({ at }) => at >= since)
  // The measurement before `since` also counts, because there may be no later one.
  const first = Math.max(0, (during < 0 ? all.length : during) - 1)
  const slowest = Math.max(
    1,
    ...all.slice(first).map(({ processor, disk }) => Math.max(processor, disk)),
  )
  return Math.min(slowest, MOST_SLOWNESS)
}

/**
 * Whether work that began at `since` has taken longer than it may take. `millis` is the limit on the quiet machine.
 */
export function isLate(since: number, millis: number): boolean {
  return performance.now() - since > millis * slownessSince(since)
}

/** The newest measurement as a sentence. */
export function machineLine(): string {
  const last = measured.at(-1)
  if (last === undefined) return 'machine: not measured'
  return `machine: processor ${last.processor.toFixed(1)} and disk ${last.disk.toFixed(1)} times the time of a quiet one, limits x ${slownessSince(last.at).toFixed(1)}`
}

function fsyncMillis(): number {
  const path = join(tmpdir(), `tenantry-soak-probe-${process.pid}`)
  const bytes = Buffer.alloc(256 << 10)
  try {
    const times = Array.from({ length: FSYNCS }, () => {
      const started = performance.now()
      const file = openSync(path, 'w')
      writeSync(file, bytes)
      fsyncSync(file)
      closeSync(file)
      return performance.now() - started
    })
    return median(times)
  } finally {
    rmSync(path, { force: true })
  }
}
