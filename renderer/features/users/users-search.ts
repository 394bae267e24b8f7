// Search parameters in the address of the users screen: the search, the open user and the open part of the sheet.
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const USER_PARTS = ['profile', 'sessions', 'messages'] as const
export type UserPart = (typeof USER_PARTS)[number]

export interface UsersSearch {
  /** Text that must occur in an e-mail address or telephone number. */
  readonly q?: string | undefined
  /** Id of the open user; `new` for the form. */
  readonly user?: string | undefined
  /** Open part of the sheet; the profile when absent. */
  readonly part?: UserPart | undefined
}

/** Used instead of a user's id, to open the form for a new user. */
export const NEW_USER = 'new'

export const parseUsersSearch: SearchReader<UsersSearch> = searchReader<UsersSearch>({
  q: text,
  user: text,
  part: oneOf(USER_PARTS, 'profile'),
})
