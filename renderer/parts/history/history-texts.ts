// The texts of recorded changes, for the sheets of requests and rows. Pure.
import type { RowHistoryEntry } from '../../../emulator/contract/history.ts'
import { identityName } from '../identity-names.ts'

export const NOT_RECORDED =
  'This emulator does not record row changes. Start it without “--no-history”, or create it with “history: true”.'

const DONE: Readonly<Record<RowHistoryEntry['kind'], string>> = {
  INSERT: 'Created by',
  UPDATE: 'Changed by',
  DELETE: 'Deleted by',
  TRUNCATE: 'Truncated by',
  DROP: 'Dropped by',
}

/** The start of the sentence that names who made the change. */
export function doneBy(kind: RowHistoryEntry['kind']): string {
  return DONE[kind]
}

/** Names the user, or the role of a change without a user. @param names names of users by their id */
export function actorName(
  { role, user_id: user }: Pick<RowHistoryEntry, 'role' | 'user_id'>,
  names: ReadonlyMap<string, string>,
): string {
  if (user !== null) return identityName(user, names)
  return /^proj_.*_owner$/.test(role) ? 'owner' : role
}
