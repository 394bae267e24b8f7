// The words for verdicts, by command. Pure.
import type { Explanation } from '../../emulator/contract/explain.ts'
import type { RowCommand } from '../../emulator/contract/values.ts'
import { formatNumber } from '../ui/format.ts'

const WORDS: Readonly<Record<RowCommand, { readonly yes: string; readonly no: string }>> = {
  select: { yes: 'visible', no: 'hidden' },
  insert: { yes: 'accepted', no: 'refused' },
  update: { yes: 'changeable', no: 'not changeable' },
  delete: { yes: 'deletable', no: 'not deletable' },
}

const SENTENCES: Readonly<Record<RowCommand, { readonly yes: string; readonly no: string }>> = {
  select: { yes: 'Visible to', no: 'Hidden from' },
  insert: { yes: 'Accepted for', no: 'Refused for' },
  update: { yes: 'Can be changed by', no: 'Cannot be changed by' },
  delete: { yes: 'Can be deleted by', no: 'Cannot be deleted by' },
}

/** The verdict in one or two words: `visible`, `hidden`. */
export function verdictWord(command: RowCommand, allowed: boolean): string {
  return WORDS[command][allowed ? 'yes' : 'no']
}

/** The first words of a sentence that ends with the identity: `Hidden from`. */
export function verdictLead(command: RowCommand, allowed: boolean): string {
  return SENTENCES[command][allowed ? 'yes' : 'no']
}

type Counted = Pick<Explanation, 'allowed_total' | 'command' | 'rows' | 'total'>

/** The number of allowed rows among the judged rows. The judged rows are all rows of the table, or only the first ones. */
export function judgedRows(explanation: Counted): {
  readonly allowed: number
  readonly of: number
} {
  const { allowed_total: allowed, rows, total } = explanation
  if (allowed !== undefined) return { allowed, of: total }
  return { allowed: rows.filter((row) => row.allowed).length, of: rows.length }
}

/** The number of allowed rows: `3 of 12 rows visible`, `5 of the first 10,000 rows changeable`. */
export function verdictCount(explanation: Counted): string {
  const { allowed, of } = judgedRows(explanation)
  const judged = of < explanation.total ? `the first ${formatNumber(of)}` : formatNumber(of)
  const noun = explanation.total === 1 ? 'row' : 'rows'
  return `${formatNumber(allowed)} of ${judged} ${noun} ${verdictWord(explanation.command, true)}`
}

/** Splits a reason after its verdict: `hidden`, ` by own_patients: …`. Adds a verdict to a reason without one. */
export function splitReason(
  command: RowCommand,
  allowed: boolean,
  reason: string,
): readonly [word: string, rest: string] {
  const [, word, rest] = /^(hidden|shown|refused|accepted|allowed)\b([\s\S]*)$/.exec(reason) ?? []
  return word === undefined ? [verdictWord(command, allowed), `: ${reason}`] : [word, rest ?? '']
}
