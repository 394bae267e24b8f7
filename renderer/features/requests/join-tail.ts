// The tail: what was read from the journal and what the event stream told, as one list, newest first. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

/** Entries the list keeps. */
export const TAIL_LIMIT = 10_000

/**
 * Joins pages of the journal (newest first) with live entries (oldest first); an entry told twice appears once, at its place
 * by sequence. Gives at most `limit`.
 */
export function joinTail(
  history: readonly JournalEntry[],
  live: readonly JournalEntry[],
  limit = TAIL_LIMIT,
): readonly JournalEntry[] {
  const tail: JournalEntry[] = []
  const told = new Set<string>()
  for (let at = live.length - 1; at >= 0 && tail.length < limit; at -= 1) {
    const entry = live[at]
    if (entry === undefined || told.has(entry.request_id)) continue
    told.add(entry.request_id)
    tail.push(entry)
  }
  for (const entry of history) {
    if (tail.length >= limit) break
    if (told.has(entry.request_id)) continue
    told.add(entry.request_id)
    tail.push(entry)
  }
  return isNewestFirst(tail) ? tail : tail.sort((a, b) => b.sequence - a.sequence)
}

/** How many of `tail` are newer than what was on the screen when it was paused. */
export function countNewer(tail: readonly JournalEntry[], shown: readonly JournalEntry[]): number {
  const newest = shown[0]?.sequence
  if (newest === undefined) return tail.length
  const at = tail.findIndex(({ sequence }) => sequence <= newest)
  return at === -1 ? tail.length : at
}

function isNewestFirst(entries: readonly JournalEntry[]): boolean {
  return entries.every(
    (entry, at) => at === 0 || entry.sequence <= (entries[at - 1]?.sequence ?? 0),
  )
}
