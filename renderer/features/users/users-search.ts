// Search parameters in the address of the users screen: the search, the open user and the open part of the sheet.
import { USER_ORDERS } from '../../../emulator/contract/choices.ts'
import type { GridOrder } from '../../parts/grid-order.ts'
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const USER_PARTS = ['profile', 'sessions', 'messages'] as const
export type UserPart = (typeof USER_PARTS)[number]

export interface UsersSearch extends GridOrder<(typeof USER_ORDERS)[number]> {
  /** The list shows only users whose e-mail address or telephone number contains this text. */
  readonly q?: string | undefined
  /** The id of the open user, or `new` for the form. */
  readonly user?: string | undefined
  /** The open part of the sheet. The profile is open when the parameter is absent. */
  readonly part?: UserPart | undefined
}

/** The word in the address that opens the form for a new user. */
export const NEW_USER = 'new'

export const parseUsersSearch: SearchReader<UsersSearch> = searchReader<UsersSearch>({
  q: text,
  user: text,
  part: oneOf(USER_PARTS, 'profile'),
  sort: oneOf(USER_ORDERS),
  order: oneOf(['desc']),
})
