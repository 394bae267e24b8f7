// How slow this machine is now, compared with a quiet one. Limits of time in tests grow in the same proportion, so that a test
// beside other programs fails only because of the product.
import { createHash } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'

/** Milliseconds of processor time in which the quiet machine hashes 64 MiB. */
const HASH_MILLIS = 40
/** Even on a slower machine, a limit does not grow further. */
const MOST_SLOWNESS = 30

let processor: number | undefined

/** The time that something may take now which takes `millis` at most on a quiet machine. */
export function patiently(millis: number): number {
  processor ??= hashMillis() / HASH_MILLIS
  // Processes that run or wait for a core. Windows does not count them.
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
