// What the address of the home screen holds: which first step is open.
import { oneOf, type SearchReader, searchReader } from '../../parts/search.ts'

export const STEPS = ['rows', 'identity', 'tenant', 'code'] as const
export type Step = (typeof STEPS)[number]

export interface HomeSearch {
  /** Reading rows when absent. */
  readonly step?: Step | undefined
}

export const parseHomeSearch: SearchReader<HomeSearch> = searchReader<HomeSearch>({
  step: oneOf(STEPS, 'rows'),
})
