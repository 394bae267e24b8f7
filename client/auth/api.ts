// One call of the platform's auth routes: headers of the project, JSON both ways, every failure an AuthError.
import { AuthError, localError } from './errors.ts'
import { isRecord } from './session.ts'

/** Milliseconds after which a call without an answer fails; shorter than a tab's lock lives. */
const PATIENCE = 15_000

export interface AuthRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the auth address, with the leading slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** Members that are `undefined` are left out. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The credential of the request. */
  readonly bearer?: string
}

/** Sends one request and gives the parsed answer. @throws {AuthError} */
export type AuthApi = (request: AuthRequest) => Promise<unknown>

export interface AuthApiDeps {
  /** The auth address without a slash at its end. */
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
    const answer = parse(text)
    if (!response.ok) throw refusal(response, answer)
    if (answer === undefined && text !== '')
      throw localError(
        'unexpected_answer',
        `${target.origin} answered with something else than JSON.`,
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The platform's own errors are `{"error": {"code", "message"}}`; anything else comes from something in between.
function refusal({ status, statusText }: Response, answer: unknown): AuthError {
  const error = isRecord(answer) ? answer['error'] : undefined
  if (isRecord(answer) && isRecord(error) && typeof error['code'] === 'string') {
    const message = typeof error['message'] === 'string' ? error['message'] : error['code']
    return new AuthError(error['code'], message, { status, details: answer['details'] })
  }
  return new AuthError('unexpected_answer', `HTTP ${status} ${statusText}`.trim(), { status })
}
