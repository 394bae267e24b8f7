// Search parameters in the address of the compare screen.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface CompareSearch {
  /** Method and route of the endpoint whose differences are shown; all when absent. */
  readonly endpoint?: string | undefined
}

export const parseCompareSearch: SearchReader<CompareSearch> = searchReader<CompareSearch>({
  endpoint: text,
})
