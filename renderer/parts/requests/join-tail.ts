// Joins entries of the journal and of the event stream into one list, the tail, newest first. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

/** The most entries that the list keeps. */
export const TAIL_LIMIT = 10_000

/**
 * Joins pages of the journal (newest first) with live entries (oldest first), without duplicates, ordered by sequence number.
 * Returns at most `limit` entries.
 */
export function joinTail(
  history: readonly JournalEntry[],
  live: readonly JournalEntry[],
  limit: number = TAIL_LIMIT,
): readonly JournalEntry[] {
  const tail: JournalEntry[] = []
  const seen = new Set<string>()
  for (let at = live.length - 1; at >= 0 && tail.length < limit; at -= 1) {
    const entry = live[at]
    if (entry === undefined || seen.has(entry.request_id)) continue
    seen.add(entry.request_id)
    tail.push(entry)
  }
  for (const entry of history) {
    if (tail.length >= limit) break
    if (seen.has(entry.request_id)) continue
    seen.add(entry.request_id)
    tail.push(entry)
  }
  return isNewestFirst(tail) ? tail : tail.sort((a, b) => b.sequence - a.sequence)
}

/** Counts the entries with a higher sequence number. */
export function countNewer(tail: readonly JournalEntry[], sequence: number): number {
  const at = tail.findIndex((entry) => entry.sequence <= sequence)
  return at === -1 ? tail.length : at
}

/** Returns the tail as it was when this sequence number was the newest. */
export function upTo(tail: readonly JournalEntry[], sequence: number): readonly JournalEntry[] {
  return tail.slice(countNewer(tail, sequence))
}

function isNewestFirst(entries: readonly JournalEntry[]): boolean {
  return entries.every(
    (entry, at) => at === 0 || entry.sequence <= (entries[at - 1]?.sequence ?? 0),
  )
}
