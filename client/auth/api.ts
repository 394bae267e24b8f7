// Sends one request to the platform's auth routes: adds the project's headers, encodes and decodes JSON, and turns every
// failure into an AuthError.
import { AuthError, localError } from './errors.ts'
import { isRecord, parseJson } from './session.ts'

/** Timeout of an auth request in milliseconds. The timeout must be shorter than the lifetime of a tab's lock. */
const PATIENCE = 15_000

export interface AuthRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the auth address, with the leading slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** JSON members of the request. The client omits members with the value `undefined`. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Credential for the `Authorization` header. */
  readonly bearer?: string
}

/** Sends one request and returns the parsed response. @throws {AuthError} */
export type AuthApi = (request: AuthRequest) => Promise<unknown>

/** Sends a request with the access_token of the signed-in user. @throws {AuthError} `session_missing` and as `AuthApi` */
export type UserApi = (
  method: AuthRequest['method'],
  path: string,
  body?: AuthRequest['body'],
) => Promise<unknown>

export interface AuthApiDeps {
  /** The auth address, without a trailing slash. */
  readonly url: string
  /** The project's anon key, or on a server its service_role key. */
  readonly key: string
  readonly slug: string
  readonly fetch: typeof fetch
}

export function createAuthApi({ url, key, slug, fetch }: AuthApiDeps): AuthApi {
  return async ({ method, path, query = {}, body, bearer }) => {
    const target = new URL(url + path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, value)
    const headers = {
      apikey: key,
      'X-SuperDB-Project': slug,
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(PATIENCE)
    const init = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const { response, text } = await reach(fetch, target, init)
    const answer = parseJson(text)
    if (!response.ok) throw refusal(response, answer)
    if (answer === undefined && text !== '')
      throw localError(
        'unexpected_answer',
        `${target.origin} sent a response that is not JSON. Check the client's URL.`,
      )
    return answer
  }
}

async function reach(
  fetch: AuthApiDeps['fetch'],
  target: URL,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(target.href, init)
    return { response, text: await response.text() }
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw localError('network_error', `${target.origin} cannot be reached: ${reason}`, failure)
  }
}

// The platform's own errors have the form `{"error": {"code", "message"}}`. A response with any other body comes from a proxy
// or another server.
function refusal({ status, statusText }: Response, answer: unknown): AuthError {
  const error = isRecord(answer) ? answer['error'] : undefined
  if (isRecord(answer) && isRecord(error) && typeof error['code'] === 'string') {
    const message = typeof error['message'] === 'string' ? error['message'] : error['code']
    return new AuthError(error['code'], message, { status, details: answer['details'] })
  }
  return new AuthError('unexpected_answer', `HTTP ${status} ${statusText}`.trim(), { status })
}
