// Sends data requests with the credential of the signed-in user, or with the key when no user is signed in.
import { toAuthError } from './auth/errors.ts'
import type { Refresher } from './auth/refresh.ts'
import type { Session } from './auth/session.ts'
import { isRepeatable, refusesExpired } from './server-time.ts'

export interface DataFetchDeps {
  readonly sessions: Pick<Refresher, 'current' | 'replace'>
  /** The project's key, used while no user is signed in. */
  readonly key: string
  readonly send: typeof fetch
}

/**
 * Returns a `fetch` that adds the current credential, unless the request has its own. Repeats a request once with a new session
 * when the platform says that the session has expired.
 */
export function fetchAs({ sessions, key, send }: DataFetchDeps): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    const sendAs = (credential: string): Promise<Response> => {
      headers.set('authorization', `Bearer ${credential}`)
      return send(input, { ...init, headers: Object.fromEntries(headers) })
    }
    if (headers.has('authorization')) return send(input, init)
    let session: Session | undefined
    try {
      session = await sessions.current()
    } catch (failure) {
      return sessionEnded(failure)
    }
    const response = await sendAs(session?.data_plane_token ?? key)
    if (session === undefined || !isRepeatable(init) || !(await refusesExpired(response)))
      return response
    try {
      session = await sessions.replace(session)
    } catch (failure) {
      return sessionEnded(failure)
    }
    return session === undefined ? response : sendAs(session.data_plane_token)
  }
}

// Refuses a request after the user's session has ended. The same request with the anon key would read or change other rows.
function sessionEnded(failure: unknown): Response {
  const { status, message } = toAuthError(failure)
  if (status === 0) throw failure
  const body = { code: 'unauthorized', message, details: null, hint: 'Sign in again.' }
  return Response.json(body, { status: 401 })
}
