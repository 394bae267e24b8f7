// The request of a finding as a short shell command. Keys are variables of `tenantry env`, so that the command fits on a screen
// and can be shared. Pure.
import type { IdentityReference } from '../../../contract/identities.ts'

/** @param url of the data plane, with an encoded path and query */
export function commandOf(url: URL, reference: IdentityReference, slug: string): string {
  const token = TOKENS[reference.kind] ?? '$TOKEN'
  const request = [
    `curl -s "$TENANTRY_DATA_URL${url.pathname}${url.search}"`,
    '-H "apikey: $TENANTRY_ANON_KEY"',
    `-H "Authorization: Bearer ${token}"`,
    '-H "Accept-Profile: $TENANTRY_SCHEMA"',
  ].join(' ')
  return reference.kind === 'user' ? `${mint(slug, reference.user)}; ${request}` : request
}

const TOKENS: Readonly<Partial<Record<IdentityReference['kind'], string>>> = {
  anon: '$TENANTRY_ANON_KEY',
  service_role: '$TENANTRY_SERVICE_ROLE_KEY',
}

function mint(project: string, user: string): string {
  const body = JSON.stringify({ project, role: 'authenticated', user })
  const send = `curl -s "$TENANTRY_AUTH_URL/_emulator/v1/principals" -H 'Content-Type: application/json' -d '${body}'`
  return String.raw`TOKEN=$(${send} | sed 's/.*"token":"\([^"]*\)".*/\1/')`
}
