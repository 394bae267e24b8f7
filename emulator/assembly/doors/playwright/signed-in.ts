// A session of a user, stored in a browser as `tenantry/client` stores it. The user signs in with a link, as with a magic link
// that the emulator's API creates without a message.
import type { SignInLink } from '../../../contract/users.ts'
import type { EpochMillis } from '../../../core/time.ts'
import { callEmulator, type Platform, TestingError } from '../../testing/platform.ts'
import type { Tenant } from '../../testing/tenant.ts'

/** A key of a page's `localStorage`, with its text. */
export interface StoredText {
  readonly name: string
  readonly value: string
}

/**
 * Creates a link that opens the application as the user, once.
 * @param user the user's id
 * @throws {TestingError} `refused`, e.g. for an address that the project's auth settings do not allow
 */
export async function signInLink(
  platform: Platform,
  tenant: Tenant,
  user: string,
  redirectTo: string,
): Promise<string> {
  const path = `/projects/${tenant.schemaName}/users/${user}/sign-in-link`
  const body = { redirect_to: redirectTo }
  return (await callEmulator<SignInLink>(platform, 'POST', path, body)).url
}

/**
 * Signs in with the link and returns what `tenantry/client` keeps of the session (client/auth/session-store.ts).
 * @param receivedAt wall-clock time
 * @throws {TestingError} when the platform refuses the sign-in, or the sign-in requires a second factor
 */
export async function storedSession(
  platform: Platform,
  tenant: Tenant,
  link: string,
  receivedAt: EpochMillis,
): Promise<readonly StoredText[]> {
  const answer = await fetch(link, { redirect: 'manual' })
  const location = answer.headers.get('location')
  const fragment = new URLSearchParams(location?.split('#')[1])
  const refreshToken = fragment.get('refresh_token')
  if (refreshToken === null)
    throw new TestingError('refused', whyWithoutSession(fragment, location), answer.status)
  const response = await fetch(`${platform.origin}/auth/v1/token/refresh`, {
    method: 'POST',
    headers: { apikey: tenant.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  const text = await response.text()
  if (!response.ok)
    throw new TestingError('refused', `The sign-in was refused: ${text}`, response.status)
  const value = JSON.stringify({ session: JSON.parse(text), event: 'SIGNED_IN', receivedAt })
  return authHosts(platform).map((host) => ({ name: `tenantry.${host}.${tenant.slug}`, value }))
}

function whyWithoutSession(fragment: URLSearchParams, location: string | null): string {
  return fragment.has('mfa_token')
    ? 'The user has a second factor, so a link alone does not sign in. Sign in through the page of the application.'
    : `The sign-in link gave no session: ${location ?? 'it redirects nowhere'}.`
}

/** The hosts by which an application may call the emulator. The client library stores a session for each. */
function authHosts({ origin }: Platform): readonly string[] {
  const { host, port } = new URL(origin)
  return [...new Set([host, `127.0.0.1:${port}`, `localhost:${port}`, `auth.localhost:${port}`])]
}
