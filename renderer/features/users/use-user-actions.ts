// What can be done with one user: each action tells how it went and lets the lists be read again.
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MintPrincipalAnswer } from '../../../emulator/contract/tokens.ts'
import { platformNow } from '../../api/platform-clock.ts'
import { isoOf } from '../../api/time.ts'
import { banUser, deleteUser, endSessions, signInAs } from '../../api/users.ts'
import { showToast } from '../../ui/toast.tsx'

export interface UserActions {
  /** For how many hours of platform time; `null` lifts the ban. */
  readonly ban: UseMutationResult<unknown, Error, number | null>
  readonly remove: UseMutationResult<unknown, Error, void>
  /** One session by id, or all without one. */
  readonly end: UseMutationResult<unknown, Error, string | undefined>
  readonly signIn: UseMutationResult<MintPrincipalAnswer, Error, void>
}

const HOUR = 3_600_000

export function useUserActions(tenant: string, id: string, onGone: () => void): UserActions {
  const queries = useQueryClient()
  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['users', tenant] }),
      queries.invalidateQueries({ queryKey: ['identities', tenant] }),
    ])
  const onError = (error: Error) =>
    showToast({ title: 'That was refused', detail: error.message, tone: 'refused' })
  return {
    ban: useMutation({
      mutationFn: (hours: number | null) =>
        banUser(tenant, id, hours === null ? null : isoOf(platformNow() + hours * HOUR)),
      onSuccess: renew,
      onError,
    }),
    remove: useMutation({
      mutationFn: () => deleteUser(tenant, id),
      onSuccess: async ({ sessions_revoked: ended }) => {
        showToast({ title: 'User deleted', detail: `${ended} sessions ended.` })
        onGone()
        queries.removeQueries({ queryKey: ['users', tenant, 'one', id] })
        await queries.invalidateQueries({ queryKey: ['users', tenant, 'list'] })
      },
      onError,
    }),
    end: useMutation({
      mutationFn: (session: string | undefined) => endSessions(tenant, id, session),
      onSuccess: async ({ sessions_revoked: ended }) => {
        showToast({ title: `${ended} ${ended === 1 ? 'session' : 'sessions'} ended` })
        await renew()
      },
      onError,
    }),
    signIn: useMutation({ mutationFn: () => signInAs(tenant, id), onError }),
  }
}
