// What the address of the users screen holds beside its path: the search, the open user and the part of the sheet.
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const USER_PARTS = ['profile', 'sessions', 'messages'] as const
export type UserPart = (typeof USER_PARTS)[number]

export interface UsersSearch {
  /** Part of an e-mail address or telephone number. */
  readonly q?: string | undefined
  /** Id of the open user, or `new`. */
  readonly user?: string | undefined
  /** Open part of the sheet; the profile when absent. */
  readonly part?: UserPart | undefined
}

/** In place of an id: the form for a new user. */
export const NEW_USER = 'new'

export const parseUsersSearch: SearchReader<UsersSearch> = searchReader<UsersSearch>({
  q: text,
  user: text,
  part: oneOf(USER_PARTS, 'profile'),
})
