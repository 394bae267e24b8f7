// The tail: entries of the journal and of the event stream as one list, newest first. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

/** Entries the list keeps. */
export const TAIL_LIMIT = 10_000

/**
 * Joins pages of the journal (newest first) with live entries (oldest first); an entry in both appears once, ordered by
 * sequence. Returns at most `limit`.
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

/** How many came after the entry of that sequence number. */
export function countNewer(tail: readonly JournalEntry[], sequence: number): number {
  const at = tail.findIndex((entry) => entry.sequence <= sequence)
  return at === -1 ? tail.length : at
}

/** The tail at the time when the entry of that sequence number was the newest. */
export function upTo(tail: readonly JournalEntry[], sequence: number): readonly JournalEntry[] {
  return tail.slice(countNewer(tail, sequence))
}

function isNewestFirst(entries: readonly JournalEntry[]): boolean {
  return entries.every(
    (entry, at) => at === 0 || entry.sequence <= (entries[at - 1]?.sequence ?? 0),
  )
}
