// Ties a social sign-in to the browser that saw its consent page by a cookie. An attacker cannot make another browser finish
// the attacker's sign-in (RFC 6749 §10.12). Only this browser has the cookie; the server stores no copy.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { digestOf } from '../auth-tables.ts'

/** The browser sends the cookie only to the callback. */
const PATH = '/auth/v1/callback'
/**
 * Lifetime of the cookie in seconds of wall time, one day. The expiry of the sign-in itself counts in platform time, which can
 * be frozen while a user reads the page (FLOW_MILLIS).
 */
const MAX_AGE_SECONDS = 86_400

/** Sets the cookie of this sign-in. Each sign-in has its own cookie, so two tabs can sign in at the same time. */
export function bindBrowser(context: Context, state: string): void {
  setCookie(context, nameOf(state), markOf(state), {
    path: PATH,
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.req.url.startsWith('https:'),
    maxAge: MAX_AGE_SECONDS,
  })
}

/** Whether the request has the cookie of this sign-in. */
export function isBoundBrowser(context: Context, state: string): boolean {
  return getCookie(context, nameOf(state)) === markOf(state)
}

/** Deletes the cookie when the sign-in has ended. */
export function releaseBrowser(context: Context, state: string): void {
  deleteCookie(context, nameOf(state), { path: PATH })
}

function nameOf(state: string): string {
  return `consent_${digestOf(`name ${state}`).slice(0, 12)}`
}

function markOf(state: string): string {
  return digestOf(`browser ${state}`)
}
