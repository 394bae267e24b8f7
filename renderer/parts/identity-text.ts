// Converts identities to texts for addresses and labels, and back: `anon`, `service_role`, `user:ana@patients.test`,
// `request:<id>`, `claims:authenticated {"sub":"…"}`. A user's additional claims follow after a space. Pure.
import { NEW_USER, ROLES } from '../../emulator/contract/choices.ts'
import type { IdentityReference } from '../../emulator/contract/identities.ts'

type Claims = Readonly<Record<string, unknown>>

/** Returns the same text for equal identities. */
export function identityText(identity: IdentityReference): string {
  switch (identity.kind) {
    case 'anon':
    case 'service_role':
      return identity.kind
    case 'user':
      return identity.claims === undefined
        ? `user:${identity.user}`
        : `user:${identity.user} ${JSON.stringify(identity.claims)}`
    case 'claims':
      return `claims:${identity.role} ${JSON.stringify(identity.claims)}`
    case 'request':
      return `request:${identity.request_id}`
  }
}

/** Returns `undefined` when the text is not an identity. */
export function parseIdentityText(text: unknown): IdentityReference | undefined {
  if (typeof text !== 'string') return undefined
  if (text === 'anon' || text === 'service_role') return { kind: text }
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  const kind = text.slice(0, colon)
  const space = text.indexOf(' ', colon)
  const name = text.slice(colon + 1, space === -1 ? undefined : space)
  if (name === '') return undefined
  if (kind === 'request') return { kind, request_id: name }
  const claims = space === -1 ? undefined : parseClaims(text.slice(space + 1))
  if (kind === 'user')
    return claims === undefined ? { kind, user: name } : { kind, user: name, claims }
  const role = ROLES.find((known) => known === name)
  if (kind !== 'claims' || role === undefined) return undefined
  return { kind, role, claims: claims ?? {} }
}

/** Parses claims. Returns `undefined` when the text is not a JSON object. */
export function parseClaims(text: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isClaims(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A short label for an identity. */
export function identityLabel(identity: IdentityReference): string {
  switch (identity.kind) {
    case 'anon':
    case 'service_role':
      return identity.kind
    case 'user':
      return identity.claims === undefined
        ? userName(identity.user)
        : `${userName(identity.user)} + claims`
    case 'claims':
      return typeof identity.claims['email'] === 'string'
        ? `${identity.claims['email']} (claims)`
        : `${identity.role} (claims)`
    case 'request':
      return `request ${identity.request_id.slice(0, 8)}`
  }
}

function userName(user: string): string {
  return user === NEW_USER.id ? NEW_USER.label : user
}

function isClaims(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
