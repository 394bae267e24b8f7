// Sends data requests with the credential of the signed-in user, or with the key when no user is signed in.
import { toAuthError } from './auth/errors.ts'

/** Returns a `fetch` that adds the current credential, unless the request has its own. */
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

// Refuses a request after the user's session has ended. The same request with the anon key would read or change other rows.
function sessionEnded(failure: unknown): Response {
  const { status, message } = toAuthError(failure)
  if (status === 0) throw failure
  const body = { code: 'unauthorized', message, details: null, hint: 'Sign in again.' }
  return Response.json(body, { status: 401 })
}
