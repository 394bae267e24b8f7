// Names of users for the ids in the list, project by project.
import { useQueries } from '@tanstack/react-query'
import type { IdentityChoices } from '../../../emulator/contract/identities.ts'
import { call } from '../../api/client.ts'
import { NOTHING } from './request-facts.ts'

/** More projects than these show ids instead of names. */
const MOST_PROJECTS = 12

/** By user id; `tenants` are slugs. */
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
