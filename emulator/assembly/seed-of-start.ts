// Repeatable randomness over several starts of one data directory: each start draws from a seed of its own, or the second
// would draw the identifiers of the first again, which are taken.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COUNTER = 'starts'

/** Counts the start and gives its seed; the first one's, and every one's without a directory, is `seed` itself. */
export function seedOfStart(seed: string, dataDir: string | undefined): string {
  if (dataDir === undefined) return seed
  const file = join(dataDir, COUNTER)
  const earlier = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0
  writeFileSync(file, String(earlier + 1))
  return earlier === 0 ? seed : `${seed} ${earlier}`
}
