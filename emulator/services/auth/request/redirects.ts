// Checks the addresses that links and sign-ins redirect to (docs/wire/auth.md#redirects). Allows the addresses on the project's
// list, compared exactly, and loopback addresses with any port. Pure.
import { shortened } from '../../../core/printable.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { AuthError } from '../errors.ts'

/** The address to which links and sign-ins redirect when `redirect_to` is absent and the project's list is empty. */
const FALLBACK = 'http://localhost:3000'
/** Matches the text, not a parsed URL, because clients disagree on how to parse `http:localhost`, `http://127.1` or `\\`. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?([/?]|$)/i
/** Maximum number of characters, the same as in the settings. */
const MAX_LENGTH = 2_048
/** Matches printable ASCII, as in a `Location` header. White space does not match, because URL parsers silently remove it. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

/**
 * Returns `requested` if the project allows it. Returns the first address of the project's list when none is requested.
 * @throws {AuthError} `invalid_redirect`
 */
export function requireRedirect(
  { redirectUrls }: Pick<AuthSettings, 'redirectUrls'>,
  requested: string | null | undefined,
): string {
  if (requested === undefined || requested === null) return redirectUrls[0] ?? FALLBACK
  const problem = problemOf(requested, redirectUrls)
  if (problem === undefined) return requested
  throw new AuthError('invalid_redirect', `redirect_to ${shown(requested)} ${problem}.`, {
    hint: 'Add exactly this address to "redirect_urls": under "auth" of the template or tenant in fixture.yaml, or with PATCH /_emulator/v1/projects/<slug>/auth-settings. Only http://localhost and http://127.0.0.1 are always allowed, with any port.',
  })
}

/** Maximum number of characters of an address in a message. */
const SHOWN_LENGTH = 200

function shown(address: string): string {
  return JSON.stringify(shortened(address, SHOWN_LENGTH))
}

/** Returns the address with parameters added to its query. */
export function withQuery(
  redirectTo: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const separator = redirectTo.includes('?') ? '&' : '?'
  return `${headerText(redirectTo)}${separator}${new URLSearchParams(parameters)}`
}

/**
 * Returns the address with parameters in its fragment, which browsers do not send to the server. A parameter can occur several
 * times.
 */
export function withFragment(
  redirectTo: string,
  parameters: Readonly<Record<string, string>> | [name: string, value: string][],
): string {
  return `${headerText(redirectTo)}#${new URLSearchParams(parameters)}`
}

function problemOf(requested: string, allowed: readonly string[]): string | undefined {
  if (requested.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`
  if (requested.includes('#'))
    return 'must have no fragment, because the result is sent in the fragment'
  return allowed.includes(requested) || isLoopback(requested)
    ? undefined
    : 'is not an address that this project allows'
}

function isLoopback(text: string): boolean {
  return LOOPBACK.test(text) && HEADER_TEXT.test(text) && !text.includes('\\') && URL.canParse(text)
}

// An address on the project's list can contain non-ASCII characters.
function headerText(address: string): string {
  return HEADER_TEXT.test(address) ? address : new URL(address).href
}
