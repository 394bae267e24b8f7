// Refusals on routes that browsers open: a page for whoever asks for HTML, JSON for everybody else (contract.md §6).
import { consentHeaders, renderRefusalPage } from '../consent-page.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext, Handler } from './route-table.ts'

/** The same handler, whose refusals people can read. */
export function forBrowsers(handler: Handler): Handler {
  return async (context) => {
    try {
      return await handler(context)
    } catch (error) {
      throw error instanceof AuthError && asksForPage(context) ? withPage(error) : error
    }
  }
}

function asksForPage(context: AuthContext): boolean {
  return context.req.header('accept')?.includes('text/html') === true
}

function withPage({ code, message, hint }: AuthError): AuthError {
  const text = hint === undefined ? message : `${message} ${hint}`
  return new AuthError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    page: renderRefusalPage(code, text),
    headers: consentHeaders(undefined),
  })
}
