// Derives a separate seed for each start of a data directory. With the same seed, the second start would repeat the identifiers
// of the first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COUNTER = 'starts'

/** Counts the start and returns its seed. The first start, and every start without a directory, uses `seed` itself. */
export function seedOfStart(seed: string, dataDir: string | undefined): string {
  if (dataDir === undefined) return seed
  const file = join(dataDir, COUNTER)
  const earlier = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0
  writeFileSync(file, String(earlier + 1))
  return earlier === 0 ? seed : `${seed} ${earlier}`
}
