// Finds and orders the entries of the palette. Pure.
import UFuzzy from '@leeoniya/ufuzzy'
import type { PaletteEntry } from './palette-entry.ts'

type Findable = Omit<PaletteEntry, 'run'>

/** Allows one mistake in each word: a letter too many, missing, wrong or moved. */
const MATCHER = new UFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 })
/** A text of at most this many words matches in any order of its words. */
const WORDS_IN_ANY_ORDER = 4

/**
 * Returns the entries that match the typed text, the best first. Without a text, returns all entries after the recent ones.
 * @param recent ids of the entries that the user chose before, the latest first
 */
export function findEntries<Entry extends Findable>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): readonly Entry[] {
  const text = typed.trim()
  if (text === '') return withRecent(entries, recent)
  const found = entries.filter(({ isFound }) => isFound === true)
  const others = entries.filter(({ isFound }) => isFound !== true)
  const haystack = others.map(({ group, label, words = '' }) => `${label} ${words} ${group}`)
  const [places, details, order] = MATCHER.search(haystack, text, WORDS_IN_ANY_ORDER)
  const best = order === null ? places : order.map((at) => details.idx[at] ?? 0)
  return [...found, ...(best ?? []).flatMap((place) => others[place] ?? [])]
}

function withRecent<Entry extends Findable>(
  entries: readonly Entry[],
  recent: readonly string[],
): readonly Entry[] {
  const chosen = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
  return [
    ...chosen.map((entry) => ({ ...entry, group: 'Recent' })),
    ...entries.filter((entry) => !chosen.includes(entry)),
  ]
}
