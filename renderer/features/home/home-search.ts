// What the address of this screen holds beside its path: which first step is open. Pure.
import { choiceIn, compact, type RawSearch } from '../../parts/search-values.ts'

export const STEPS = ['rows', 'identity', 'tenant', 'code'] as const
export type Step = (typeof STEPS)[number]

export interface HomeSearch {
  /** Reading rows when absent. */
  readonly step?: Step
}

export function parseHomeSearch(raw: RawSearch): HomeSearch {
  const step = choiceIn(raw, 'step', STEPS)
  return compact<HomeSearch>({ step: step === 'rows' ? undefined : step })
}
