// Ties a social sign-in to the browser that saw its consent page: no browser can be made to finish another user's sign-in
// (RFC 6749 §10.12). The cookie needs no record: what protects is that another browser does not have it.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { digestOf } from '../auth-tables.ts'

/** Only the callback is sent the cookie. */
const PATH = '/auth/v1/callback'
/**
 * A day of wall time, after which a browser may forget it. How long a sign-in may take is for the platform's clock to say,
 * and platform time can be frozen while a user reads the page.
 */
const MAX_AGE_SECONDS = 86_400

/** Gives the browser the mark of this sign-in; one cookie each, so that two tabs do not disturb one another. */
export function bindBrowser(context: Context, state: string): void {
  setCookie(context, nameOf(state), markOf(state), {
    path: PATH,
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.req.url.startsWith('https:'),
    maxAge: MAX_AGE_SECONDS,
  })
}

/** Whether the request comes from a browser that has the mark. */
export function isBoundBrowser(context: Context, state: string): boolean {
  return getCookie(context, nameOf(state)) === markOf(state)
}

/** Takes the mark away: the sign-in is over. */
export function releaseBrowser(context: Context, state: string): void {
  deleteCookie(context, nameOf(state), { path: PATH })
}

function nameOf(state: string): string {
  return `consent_${digestOf(`name ${state}`).slice(0, 12)}`
}

function markOf(state: string): string {
  return digestOf(`browser ${state}`)
}
