// What became of a change for a subscriber: shape, word, tone and what it means. Pure.
import type { ChangeVerdict } from '../../emulator/contract/realtime.ts'

export type Verdict = ChangeVerdict['verdict']
export type VerdictTone = 'allowed' | 'refused' | 'unknown' | 'clock' | 'fault'

export interface VerdictWords {
  readonly word: string
  readonly tone: VerdictTone
  /** How far the line from the change gets: to the subscriber, to a bar, or it fades out. */
  readonly line: 'arrives' | 'stopped' | 'faded'
  readonly meaning: string
}

export const VERDICT_WORDS: Readonly<Record<Verdict, VerdictWords>> = {
  delivered: {
    word: 'delivered',
    tone: 'allowed',
    line: 'arrives',
    meaning: 'The row was sent on this channel.',
  },
  filtered: {
    word: 'filtered',
    tone: 'unknown',
    line: 'faded',
    meaning: 'The channel asks for another event or its filter for another row.',
  },
  hidden: {
    word: 'hidden',
    tone: 'refused',
    line: 'stopped',
    meaning: 'No policy shows this row to this subscriber.',
  },
  rlsOff: {
    word: 'RLS off',
    tone: 'refused',
    line: 'stopped',
    meaning: 'The table has no row-level security; realtime sends nothing of it.',
  },
  notEvaluable: {
    word: 'not evaluable',
    tone: 'unknown',
    line: 'stopped',
    meaning: 'Realtime reads no other table: a policy that asks one counts as false here.',
  },
  refused: {
    word: 'refused',
    tone: 'refused',
    line: 'stopped',
    meaning: 'The role may not read the table’s key, or it has none; the client was told so.',
  },
  tokenExpired: {
    word: 'token expired',
    tone: 'clock',
    line: 'stopped',
    meaning: 'The channel’s token ended before the change was committed.',
  },
  rateLimited: {
    word: 'rate limited',
    tone: 'fault',
    line: 'stopped',
    meaning: 'Too many messages a second; the change was left out silently.',
  },
}

/** In the order lanes are shown: what arrived first. */
export const VERDICT_ORDER: readonly Verdict[] = [
  'delivered',
  'hidden',
  'notEvaluable',
  'rlsOff',
  'refused',
  'tokenExpired',
  'rateLimited',
  'filtered',
]

/** `2 delivered, 1 hidden`: a change in a few words. */
export function tallyOf(
  verdicts: readonly ChangeVerdict[],
): readonly { readonly verdict: Verdict; readonly count: number }[] {
  return VERDICT_ORDER.map((verdict) => ({
    verdict,
    count: verdicts.filter((one) => one.verdict === verdict).length,
  })).filter(({ count }) => count > 0)
}
