// Sends requests for data as the user who is signed in at that moment, else with the key.
import { toAuthError } from './auth/errors.ts'

/** A `fetch` that waits for the credential and puts it in, unless the request brings its own. */
export function fetchAs(credential: () => Promise<string>, send: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) {
      try {
        headers.set('authorization', `Bearer ${await credential()}`)
      } catch (failure) {
        return sessionEnded(failure)
      }
    }
    return send(input, { ...init, headers: Object.fromEntries(headers) })
  }
}

// A user's request must not become a visitor's because the session ended meanwhile.
function sessionEnded(failure: unknown): Response {
  const { status, message } = toAuthError(failure)
  if (status === 0) throw failure
  const body = { code: 'unauthorized', message, details: null, hint: 'Sign in again.' }
  return new Response(JSON.stringify(body), {
    status: 401,
    headers: { 'content-type': 'application/json' },
  })
}
