// Search parameters in the address of the home screen.
import { oneOf, type SearchReader, searchReader } from '../../parts/search.ts'

export const STEPS = ['rows', 'identity', 'tenant', 'code'] as const
export type Step = (typeof STEPS)[number]

export interface HomeSearch {
  /** The open example request. The screen shows `rows` when the parameter is absent. */
  readonly step?: Step | undefined
}

export const parseHomeSearch: SearchReader<HomeSearch> = searchReader<HomeSearch>({
  step: oneOf(STEPS, 'rows'),
})
