// Finds the closest name for an error's hint. Candidates share runs of letters with the given name; the candidate with the fewest
// edits wins. PostgREST's fuzzy search uses the same measure (PostgREST, "Errors"). Pure.

/** Minimum similarity of table and function names, from 0 to 1. */
export const ALIKE = 0.75
/** Minimum similarity of names within a known table or function, from 0 to 1. */
export const SOMEWHAT_ALIKE = 0.33

export interface CloseName {
  readonly name: string
  /** A score from 0 to 1. The score 1 means the same name, ignoring case. */
  readonly score: number
}

/**
 * Returns the names with a score of at least `minScore`, best first. If scores are equal, the last name in `names` comes
 * first.
 */
export function closestNames(
  names: Iterable<string>,
  wanted: string,
  minScore: number,
): readonly CloseName[] {
  const key = wanted.toLowerCase()
  const known = new Map<string, string>()
  for (const name of [...names].reverse()) {
    const lower = name.toLowerCase()
    if (known.get(lower) !== lower) known.set(lower, name)
  }
  const same = known.get(key)
  if (same !== undefined) return [{ name: same, score: 1 }]
  for (const size of [3, 2]) {
    const found = sharingRuns([...known.keys()], key, size)
      .map((candidate) => ({
        name: known.get(candidate) ?? '',
        score: similarity(candidate, key, minScore),
      }))
      .filter(({ score }) => score >= minScore)
      .sort((first, second) => second.score - first.score)
    if (found.length > 0) return found
  }
  return []
}

// Number of candidates whose edit distance is computed: those that share the most runs of letters.
const MOST_COMPARED = 50

function sharingRuns(names: readonly string[], wanted: string, size: number): readonly string[] {
  const runs = runsOf(wanted, size)
  return names
    .map((name) => ({ name, score: cosine(runs, runsOf(name, size)) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .slice(0, MOST_COMPARED)
    .map(({ name }) => name)
}

type Runs = ReadonlyMap<string, number>

// Splits a name into overlapping runs of `size` letters. Ignores punctuation, and adds a dash at both ends of the name.
function runsOf(name: string, size: number): Runs {
  const letters = Array.from(`-${name.replace(/[^\p{L}\p{N},\t-\r\p{Zs}]+/gu, '')}-`)
  const runs = new Map<string, number>()
  for (let at = 0; at + size <= letters.length; at++) {
    const run = letters.slice(at, at + size).join('')
    runs.set(run, (runs.get(run) ?? 0) + 1)
  }
  return runs
}

function cosine(first: Runs, second: Runs): number {
  let shared = 0
  for (const [run, count] of first) shared += count * (second.get(run) ?? 0)
  return shared === 0 ? 0 : shared / (lengthOf(first) * lengthOf(second))
}

function lengthOf(runs: Runs): number {
  return Math.hypot(...runs.values())
}

// Skips the edit distance when the lengths alone rule out a score of `minScore`.
function similarity(first: string, second: string, minScore: number): number {
  const [left, right] = [Array.from(first), Array.from(second)]
  const longest = Math.max(left.length, right.length)
  if (longest === 0) return 1
  const best = 1 - Math.abs(left.length - right.length) / longest
  return best < minScore ? best : 1 - edits(left, right) / longest
}

// Levenshtein distance. Keeps only one row of the table of distances in memory.
function edits(first: readonly string[], second: readonly string[]): number {
  let above = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const [row, letter] of first.entries()) {
    const current = [row + 1]
    for (const [column, other] of second.entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1)
      const removed = (above[column + 1] ?? 0) + 1
      const added = (current[column] ?? 0) + 1
      current.push(Math.min(replaced, removed, added))
    }
    above = current
  }
  return above.at(-1) ?? 0
}
