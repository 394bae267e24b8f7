// What the address of this screen holds beside its path: the search, the open user and whether somebody is being made. Pure.
import { choiceIn, compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export const USER_PARTS = ['profile', 'sessions', 'messages'] as const
export type UserPart = (typeof USER_PARTS)[number]

export interface UsersSearch {
  /** Part of an e-mail address or telephone number. */
  readonly q?: string
  /** Id of the open user, or `new`. */
  readonly user?: string
  /** Open part of the sheet; the profile when absent. */
  readonly part?: UserPart
}

/** In place of an id: the form for a new one. */
export const NEW_USER = 'new'

export function parseUsersSearch(raw: RawSearch): UsersSearch {
  const part = choiceIn(raw, 'part', USER_PARTS)
  return compact<UsersSearch>({
    q: textIn(raw, 'q'),
    user: textIn(raw, 'user'),
    part: part === 'profile' ? undefined : part,
  })
}
