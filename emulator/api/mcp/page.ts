// Renders what a tool found within the limit of one answer, and says what was left out. Pure.
import type { Finding } from './tool.ts'

/** Bytes of one answer. An agent pays for every byte that it reads. */
export const MAX_ANSWER_BYTES = 4_000
/** Bytes that stay free for the sentence about left-out entries. */
const SENTENCE_BYTES = 200

/** Bytes of the lines before and after the entries. */
const MAX_HEAD_BYTES = 2_000
const MAX_TAIL_BYTES = 1_000

export function renderPage(finding: Finding): string {
  const { entries, hasMore = false, readOn } = finding
  const head = cut(finding.head ?? '', MAX_HEAD_BYTES)
  const tail = cut(finding.tail ?? '', MAX_TAIL_BYTES)
  let room = MAX_ANSWER_BYTES - SENTENCE_BYTES - bytesOf(head) - bytesOf(tail)
  const shown: string[] = []
  for (const entry of entries) {
    const cost = bytesOf(entry) + 1
    if (cost > room && shown.length > 0) break
    shown.push(cut(entry, room - 1))
    room -= cost
  }
  const total = finding.total ?? entries.length
  const left = total - shown.length
  const sentence =
    left > 0 || hasMore ? leftOut(shown.length, hasMore ? undefined : left, readOn) : ''
  return [head, ...shown, tail, sentence].filter((part) => part !== '').join('\n')
}

function leftOut(
  shown: number,
  left: number | undefined,
  readOn: ((shown: number) => string) | undefined,
): string {
  const count =
    left === undefined
      ? 'More entries are'
      : `${left} more ${left === 1 ? 'entry is' : 'entries are'}`
  return `${[`(${count} left out.`, readOn?.(shown) ?? ''].filter((part) => part !== '').join(' ')})`
}

/** Cuts a text to this many bytes of UTF-8, and says how much is missing. */
export function cut(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  const note = (kept: number) => `… (${bytes.length - kept} bytes left out)`
  const room = Math.max(0, maxBytes - bytesOf(note(0)))
  // A decoder that streams keeps back the bytes of a character that was cut in two.
  const kept = new TextDecoder().decode(bytes.subarray(0, room), { stream: true })
  return kept + note(bytesOf(kept))
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
