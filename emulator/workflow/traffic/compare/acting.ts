// Finds who sent a recorded request: the tenant, and the user or the role of its credential. Pure.

import type { CredentialFacts, HarEntry } from '../har/har.ts'
import { PLACEHOLDER } from '../masking/placeholders.ts'

export interface Acting {
  /** Slug of the tenant or project; `null` when the request names none. */
  readonly tenant: string | null
  /** The user's e-mail address or id, else the role of the credential; `null` without one. */
  readonly identity: string | null
}

type Claims = CredentialFacts['claims']

/** Returns a function that finds the sender of a recorded request. @param facts all masked credentials of the recording */
export function createActing(facts: readonly CredentialFacts[]): (entry: HarEntry) => Acting {
  const claimsOf = new Map(facts.map(({ claims, placeholder }) => [placeholder, claims]))
  // Addresses of users by id, because some tokens contain only the id.
  const emails = new Map(
    facts.flatMap(({ claims: { email, sub } }) =>
      sub === undefined || email === undefined ? [] : [[sub, String(email)] as const],
    ),
  )
  return ({ request: { headers, url } }) => {
    const header = (name: string): string =>
      headers.find((field) => field.name.toLowerCase() === name)?.value ?? ''
    const sent = [header('authorization'), url, header('apikey')].join(' ')
    const found = [...sent.matchAll(PLACEHOLDER)]
      .map(([placeholder]) => claimsOf.get(placeholder))
      .filter((claims) => claims !== undefined)
    const named =
      found.map((claims) => claims['project_schema']).find((schema) => schema !== undefined) ??
      (header('content-profile') || header('accept-profile') || header('x-superdb-project'))
    const tenant = String(named).replace(/^proj_/, '')
    return { tenant: tenant === '' ? null : tenant, identity: identityOf(found[0], emails) }
  }
}

function identityOf(
  claims: Claims | undefined,
  emails: ReadonlyMap<string | number, string>,
): string | null {
  if (claims === undefined) return null
  const { email, origin_role: origin, role, sdb_role: realtime, sub } = claims
  const acting = realtime ?? origin ?? role
  const isKey = acting === 'anon' || acting === 'service_role'
  const user = email ?? (sub === undefined ? undefined : (emails.get(sub) ?? sub))
  const identity = isKey ? acting : (user ?? acting)
  return identity === undefined ? null : String(identity)
}
