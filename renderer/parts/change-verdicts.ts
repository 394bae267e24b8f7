// Lists the possible verdicts on a change for a subscriber, with word, tone and meaning. Pure.
import type { ChangeVerdict } from '../../emulator/contract/realtime.ts'

export type Verdict = ChangeVerdict['verdict']
export type VerdictTone = 'allowed' | 'refused' | 'unknown' | 'clock' | 'fault'

export interface VerdictWords {
  readonly word: string
  readonly tone: VerdictTone
  /** How the drawing ends the line to the subscriber: the line arrives, stops at a bar, or is dotted and pale. */
  readonly line: 'arrives' | 'stopped' | 'faded'
  readonly meaning: string
}

export const VERDICT_WORDS: Readonly<Record<Verdict, VerdictWords>> = {
  delivered: {
    word: 'delivered',
    tone: 'allowed',
    line: 'arrives',
    meaning: 'Realtime sent the row on this channel.',
  },
  filtered: {
    word: 'filtered',
    tone: 'unknown',
    line: 'faded',
    meaning: 'The channel’s event or filter does not match the change.',
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
    meaning: 'The table has no row-level security, so realtime sends no changes of it.',
  },
  notEvaluable: {
    word: 'not evaluable',
    tone: 'unknown',
    line: 'stopped',
    meaning:
      'A policy reads another table. Realtime reads no other tables and treats the policy as false.',
  },
  refused: {
    word: 'refused',
    tone: 'refused',
    line: 'stopped',
    meaning:
      'The role may not read the table’s key, or the table has no key. The client received an error.',
  },
  tokenExpired: {
    word: 'token expired',
    tone: 'clock',
    line: 'stopped',
    meaning: 'The channel’s token expired before the change was committed.',
  },
  rateLimited: {
    word: 'rate limited',
    tone: 'fault',
    line: 'stopped',
    meaning:
      'The project exceeded its limit of row changes per second. Realtime did not send the change, and the client received no error.',
  },
}

/** The order in which lanes are drawn: delivered lanes first. */
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

/** Counts the verdicts by kind: `2 delivered, 1 hidden`. */
export function tallyOf(
  verdicts: readonly ChangeVerdict[],
): readonly { readonly verdict: Verdict; readonly count: number }[] {
  return VERDICT_ORDER.map((verdict) => ({
    verdict,
    count: verdicts.filter((one) => one.verdict === verdict).length,
  })).filter(({ count }) => count > 0)
}
