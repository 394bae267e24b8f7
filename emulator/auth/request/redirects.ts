// Where links and sign-ins may return to: the project's list, compared exactly, and loopback of any port (docs/wire/auth.md#redirects).
// Pure.
import type { AuthSettings } from '../auth-settings.ts'
import { AuthError } from '../errors.ts'

const FALLBACK = 'http://localhost:3000'
/** Letter by letter, because not everything that follows a redirect reads `http:localhost`, `http://127.1` or `\\` as we do. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?([/?]|$)/i
/** As the settings take them. */
const MAX_LENGTH = 2_048
/** Printable ASCII: what a `Location` header can carry, and no white space that address parsers drop silently. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

/**
 * Gives the address to return to: `requested` if it is allowed, without one the first of the list.
 * @throws {AuthError} `invalid_redirect`
 */
export function requireRedirect(
  { redirectUrls }: Pick<AuthSettings, 'redirectUrls'>,
  requested: string | null | undefined,
): string {
  if (requested === undefined || requested === null) return redirectUrls[0] ?? FALLBACK
  const problem = problemOf(requested, redirectUrls)
  if (problem === undefined) return requested
  throw new AuthError('invalid_redirect', `redirect_to ${problem}.`, {
    hint: 'Put the address, letter by letter, on the project’s list redirect_urls; http://localhost and http://127.0.0.1 are allowed with any port.',
  })
}

/** The address with parameters added to its query. */
export function withQuery(
  redirectTo: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const separator = redirectTo.includes('?') ? '&' : '?'
  return `${headerText(redirectTo)}${separator}${new URLSearchParams(parameters)}`
}

/** The address with parameters in its fragment, which browsers never send. Pairs can repeat a name. */
export function withFragment(
  redirectTo: string,
  parameters: Readonly<Record<string, string>> | [name: string, value: string][],
): string {
  return `${headerText(redirectTo)}#${new URLSearchParams(parameters)}`
}

function problemOf(requested: string, allowed: readonly string[]): string | undefined {
  if (requested.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`
  if (requested.includes('#')) return 'must have no fragment: the answer is put there'
  return allowed.includes(requested) || isLoopback(requested)
    ? undefined
    : 'is not an address this project allows'
}

function isLoopback(text: string): boolean {
  return LOOPBACK.test(text) && HEADER_TEXT.test(text) && !text.includes('\\') && URL.canParse(text)
}

// A listed address may be written with letters beyond ASCII.
function headerText(address: string): string {
  return HEADER_TEXT.test(address) ? address : new URL(address).href
}
