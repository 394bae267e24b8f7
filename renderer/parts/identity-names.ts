// Names of users, for lists of requests whose entries contain only ids.
import { useQueries } from '@tanstack/react-query'
import type { IdentityChoices } from '../../emulator/contract/identities.ts'
import { call } from '../api/client.ts'
import { middleTruncate } from '../ui/truncate.ts'
import { NOTHING } from './requests/request-words.ts'

/** Returns a user's name or a role. Shortens an unknown id in the middle. */
export function identityName(identity: string, names: ReadonlyMap<string, string>): string {
  return names.get(identity) ?? middleTruncate(identity, 18)
}

/** The most projects to load names from. Users of further projects show as ids. */
const MOST_PROJECTS = 12

/** Names by user id. `tenants` contains slugs. */
export function useIdentityNames(tenants: readonly string[]): ReadonlyMap<string, string> {
  const asked = tenants.filter((tenant) => tenant !== NOTHING).slice(0, MOST_PROJECTS)
  return useQueries({
    queries: asked.map((tenant) => ({
      queryKey: ['identities', tenant],
      staleTime: 10_000,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call('GET /projects/:ref/identities', { params: { ref: tenant }, signal }),
    })),
    combine: namesOf,
  })
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
