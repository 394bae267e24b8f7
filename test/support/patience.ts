// Measures how slow this machine is now, compared with a quiet machine. Time limits in tests grow in the same proportion, so that
// a busy machine does not fail a test.
import { createHash } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'

/** Milliseconds of processor time in which the quiet machine hashes 64 MiB. */
const HASH_MILLIS = 40
/** The largest factor by which time limits grow, even on a slower machine. */
const MOST_SLOWNESS = 30

let processor: number | undefined

/** Returns the time limit on this machine for work with a limit of `millis` on a quiet machine. */
export function patiently(millis: number): number {
  processor ??= hashMillis() / HASH_MILLIS
  // The average number of processes that run or wait for a core. On Windows the number is 0.
  const [waiting = 0] = loadavg()
  const slowness = Math.max(1, processor) * Math.max(1, waiting / availableParallelism())
  return millis * Math.min(slowness, MOST_SLOWNESS)
}

function hashMillis(): number {
  const bytes = Buffer.alloc(1 << 20)
  const before = process.cpuUsage()
  for (let piece = 0; piece < 64; piece += 1) createHash('sha256').update(bytes).digest()
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1_000
}
