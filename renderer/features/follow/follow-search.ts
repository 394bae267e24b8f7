// Search parameters in the address of the screen that follows a user. The user is the identity of the context bar.
import { ACTIVITY_KINDS, type ActivityKind } from '../../../emulator/contract/choices.ts'
import { oneOf, type SearchReader, searchReader } from '../../parts/search.ts'

export interface FollowSearch {
  /** The list shows only entries of this kind. */
  readonly kind?: ActivityKind | undefined
}

export const parseFollowSearch: SearchReader<FollowSearch> = searchReader<FollowSearch>({
  kind: oneOf(ACTIVITY_KINDS),
})
