// Derives a separate seed for each start of a data directory. With the same seed, the second start would repeat the identifiers
// of the first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readOwnFile } from '../core/own-file.ts'

const COUNTER = 'starts'
const HINT = 'Write the number of starts into it. A smaller number repeats identifiers.'

/**
 * Counts the start and returns its seed. The first start, and every start without a directory, uses `seed` itself.
 * @throws {UnusableFile} when the count cannot be read
 */
export function seedOfStart(seed: string, dataDir: string | undefined): string {
  if (dataDir === undefined) return seed
  const file = join(dataDir, COUNTER)
  const earlier = readOwnFile(file, z.int().min(0), HINT) ?? 0
  writeFileSync(file, String(earlier + 1))
  return earlier === 0 ? seed : `${seed} ${earlier}`
}
