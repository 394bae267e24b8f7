// Names of users, for lists of requests whose entries contain only ids.
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { NEW_USER } from '../../emulator/contract/choices.ts'
import type { IdentityChoices } from '../../emulator/contract/identities.ts'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import { call } from '../api/client.ts'
import { useIdentities } from '../api/explain.ts'
import { middleTruncate } from '../ui/truncate.ts'
import { tenantsOfUsers } from './requests/request-words.ts'

/** Returns a user's name or a role. Shortens an unknown id in the middle. */
export function identityName(identity: string, names: ReadonlyMap<string, string>): string {
  if (identity === NEW_USER.id) return NEW_USER.label
  return names.get(identity) ?? middleTruncate(identity, 18)
}

/** Names by user id, of the users who sent these requests. */
export function useIdentityNames(entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
  const tenants = useMemo(() => tenantsOfUsers(entries).join(','), [entries])
  return useQueries({
    queries: tenants
      .split(',')
      .filter(Boolean)
      .map((tenant) => ({
        queryKey: ['identities', tenant],
        staleTime: 10_000,
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          call('GET /projects/:ref/identities', { params: { ref: tenant }, signal }),
      })),
    combine: namesOf,
  })
}

/** Names of one tenant's users, by user id. */
export function useUserNames(tenant: string): ReadonlyMap<string, string> {
  const { data } = useIdentities(tenant)
  return useMemo(() => namesOf([{ data }]), [data])
}

function namesOf(
  answers: readonly { readonly data: IdentityChoices | undefined }[],
): ReadonlyMap<string, string> {
  return new Map(
    answers.flatMap(({ data }) =>
      (data?.identities ?? []).flatMap(({ reference, label }) =>
        reference.kind === 'user' ? [[reference.user, label] as const] : [],
      ),
    ),
  )
}
