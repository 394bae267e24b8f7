// What the address of the faults screen holds beside its path.
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'
import { SERVICES } from './fault-words.ts'

export interface FaultsSearch {
  /** The armed faults when absent. */
  readonly view?: 'catalogue' | undefined
  readonly q?: string | undefined
  readonly service?: (typeof SERVICES)[number] | undefined
  /** Id of the armed fault whose sheet is open. */
  readonly open?: string | undefined
  /** Operation that the open form arms a fault for; `any` for all. */
  readonly arm?: string | undefined
  readonly code?: string | undefined
}

export const parseFaultsSearch: SearchReader<FaultsSearch> = searchReader<FaultsSearch>({
  view: oneOf(['catalogue']),
  q: text,
  service: oneOf(SERVICES),
  open: text,
  arm: text,
  code: text,
})
