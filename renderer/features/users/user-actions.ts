// The actions of the inspector on one user. Each action reloads the lists of users.
import { useQueryClient } from '@tanstack/react-query'
import type { MintPrincipalAnswer } from '../../../emulator/contract/tokens.ts'
import type { UserSessionsEnded } from '../../../emulator/contract/users.ts'
import { platformNow } from '../../api/platform-clock.ts'
import { isoOf } from '../../api/time.ts'
import { banUser, deleteUser, endSessions, signInAs } from '../../api/users.ts'
import { type Action, useAction } from '../../ui/form-action.ts'
import { sessionsEndedText } from './texts.ts'

export interface UserActions {
  /** Bans the user for this many hours of platform time. A call with `null` lifts the ban. */
  readonly ban: Action<number | null>
  readonly remove: Action<void, Pick<UserSessionsEnded, 'sessions_revoked'>>
  /** Ends the session with this id, or all sessions when `undefined`. */
  readonly end: Action<string | undefined, UserSessionsEnded>
  readonly signIn: Action<void, MintPrincipalAnswer>
}

const HOUR_MILLIS = 3_600_000

export function useUserActions(tenant: string, id: string, onGone: () => void): UserActions {
  const queries = useQueryClient()
  const stale = [
    ['users', tenant],
    ['identities', tenant],
  ]
  return {
    ban: useAction<number | null, unknown>({
      work: (hours) =>
        banUser(tenant, id, hours === null ? null : isoOf(platformNow() + hours * HOUR_MILLIS)),
      stale,
      failure: 'Could not change the ban',
    }),
    remove: useAction({
      work: () => deleteUser(tenant, id),
      stale: [
        ['users', tenant, 'list'],
        ['identities', tenant],
      ],
      done: ({ sessions_revoked: ended }) => ({
        title: 'User deleted',
        detail: `${sessionsEndedText(ended)}.`,
      }),
      onDone: () => {
        onGone()
        queries.removeQueries({ queryKey: ['users', tenant, 'one', id] })
      },
      failure: 'Could not delete the user',
    }),
    end: useAction({
      work: (session: string | undefined) => endSessions(tenant, id, session),
      stale,
      done: ({ sessions_revoked: ended }) => ({ title: sessionsEndedText(ended) }),
      failure: 'Could not end the session',
    }),
    signIn: useAction({
      work: () => signInAs(tenant, id),
      failure: 'Could not sign in as this user',
    }),
  }
}
