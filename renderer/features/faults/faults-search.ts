// Search parameters in the address of the faults screen.
import type { FaultService } from '../../../emulator/contract/faults.ts'
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'
import { membersOf } from '../../ui/form-values.ts'
import { SERVICE_NAMES } from './texts.ts'

const FAULTS_VIEWS = ['armed', 'history', 'catalogue', 'simulated'] as const
type FaultsView = (typeof FAULTS_VIEWS)[number]

export interface FaultsSearch {
  /** The open view. The screen shows the armed faults when `view` is absent. */
  readonly view?: FaultsView | undefined
  readonly q?: string | undefined
  readonly service?: FaultService | undefined
  /** The id of the fault whose sheet is open. */
  readonly open?: string | undefined
  /** The operation that the open form preselects, or `any` for all operations. */
  readonly arm?: string | undefined
  readonly code?: string | undefined
}

export const parseFaultsSearch: SearchReader<FaultsSearch> = searchReader<FaultsSearch>({
  view: oneOf(FAULTS_VIEWS, 'armed'),
  q: text,
  service: oneOf(membersOf(SERVICE_NAMES)),
  open: text,
  arm: text,
  code: text,
})
