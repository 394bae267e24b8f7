// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.

import type { FaultService } from '../../../emulator/contract/faults.ts'
import { choiceIn, compact, type RawSearch, textIn } from '../../parts/search-values.ts'
import { membersOf } from '../../ui/form-values.ts'
import { SERVICE_NAMES } from './texts.ts'

export interface FaultsSearch {
  /** What is armed, unless told. */
  readonly view?: 'catalogue'
  readonly q?: string
  readonly service?: FaultService
  /** Id of the armed fault whose sheet is open. */
  readonly open?: string
  /** Operation for which a fault is being ordered; `any` for all. */
  readonly arm?: string
  readonly code?: string
}

export function parseFaultsSearch(raw: RawSearch): FaultsSearch {
  return compact<FaultsSearch>({
    view: choiceIn(raw, 'view', ['catalogue']),
    q: textIn(raw, 'q'),
    service: choiceIn(raw, 'service', membersOf(SERVICE_NAMES)),
    open: textIn(raw, 'open'),
    arm: textIn(raw, 'arm'),
    code: textIn(raw, 'code'),
  })
}
