// Wraps routes that browsers open. Errors are HTML pages when the request accepts HTML, and JSON otherwise. HEAD requests do
// nothing (docs/wire/auth.md#errors).
import type { HttpContext, HttpHandler } from '../../../core/mount-routes.ts'
import { AUTH_ERRORS, AuthError } from '../errors.ts'
import { consentHeaders, renderRefusalPage } from './consent-page.ts'

/** Wraps a handler so that its errors become pages and HEAD requests do nothing. */
export function forBrowsers(handler: HttpHandler): HttpHandler {
  return async (context) => {
    // Mail programs and proxies send HEAD to check links, which must not spend a token.
    if (context.req.method === 'HEAD') return context.body(null)
    try {
      return await handler(context)
    } catch (error) {
      const refusal = asksForPage(context) ? AUTH_ERRORS.refusalOf(error) : undefined
      throw refusal === undefined ? error : withPage(refusal)
    }
  }
}

function asksForPage(context: HttpContext): boolean {
  return context.req.header('accept')?.includes('text/html') === true
}

function withPage({ code, message, hint, headers }: AuthError): AuthError {
  const text = hint === undefined ? message : `${message} ${hint}`
  return new AuthError(code, message, {
    hint,
    page: renderRefusalPage(code, text),
    headers: { ...headers, ...consentHeaders(undefined) },
  })
}
