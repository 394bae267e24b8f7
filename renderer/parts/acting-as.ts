// The identity in the context bar. Every screen reads and writes as this identity, and every link keeps the identity in the
// address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import { identityText, parseIdentityText } from './identity-text.ts'
import { identity, type SearchReader, searchReader } from './search.ts'

/** The search parameter that all screens share. */
export interface ContextSearch {
  /** An identity in the format of identity-text.ts. The owner when the parameter is absent. */
  readonly as?: string | undefined
}

export const parseContextSearch: SearchReader<ContextSearch> = searchReader<ContextSearch>({
  as: identity,
})

export interface ActingAs {
  /** `null` is the owner, whom policies don't restrict. */
  readonly identity: IdentityReference | null
  readonly actAs: (identity: IdentityReference | null) => void
}

export function useActingAs(): ActingAs {
  const { as } = useSearch({ strict: false })
  const navigate = useNavigate()
  const actAs = useCallback(
    (next: IdentityReference | null) =>
      void navigate({
        to: '.',
        search: (before: object) => ({
          ...before,
          as: next === null ? undefined : identityText(next),
        }),
        replace: true,
      }),
    [navigate],
  )
  return { identity: parseIdentityText(as) ?? null, actAs }
}
