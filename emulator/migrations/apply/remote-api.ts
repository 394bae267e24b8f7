// Calls the HTTP API of the hosted platform, or of an emulator in its place, and sorts failures by what the caller may do
// next: a lost answer is looked up before anything is sent again, a refusal is final.
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { FleetFailure } from './fleet.ts'

export interface RemoteApi {
  /** @throws {FleetFailure} */
  call(
    method: 'GET' | 'POST',
    path: string,
    credential: string,
    body?: JsonObject,
  ): Promise<JsonObject>
}

/** Longest wait for an answer in milliseconds. db/exec stops after 30 s (docs/wire/platform.md#db-exec). */
const PATIENCE_MILLIS = 60_000

/** @param url address of the auth host. Only its origin is used. @throws {FleetFailure} `invalid_url` */
export function createRemoteApi(url: string, send: typeof fetch = fetch): RemoteApi {
  const origin = originOf(url)
  return {
    call: async (method, path, credential, body) => {
      const { status, text } = await answerOf(origin, path, send, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = parseJson(text)
      if (status >= 200 && status < 300 && isJsonObject(answer)) return answer
      throw failureOf(origin, status, answer)
    },
  }
}

async function answerOf(
  origin: string,
  path: string,
  send: typeof fetch,
  init: RequestInit,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    // A redirect would send the credential to another address.
    const signal = AbortSignal.timeout(PATIENCE_MILLIS)
    const response = await send(origin + path, { ...init, redirect: 'manual', signal })
    return { status: response.status, text: await response.text() }
  } catch {
    throw new FleetFailure(
      'lost',
      'no_answer',
      `${origin} sent no answer.`,
      'Run the command again; it continues where it stopped.',
    )
  }
}

function failureOf(origin: string, status: number, answer: unknown): FleetFailure {
  const error = isJsonObject(answer) ? answer['error'] : undefined
  const { code, message, hint } = isJsonObject(error) ? error : {}
  const isLost = status >= 500 || status === 408 || (status >= 200 && status < 300)
  return new FleetFailure(
    isLost ? 'lost' : status === 401 ? 'unauthorized' : 'refused',
    typeof code === 'string' ? code : `http_${status}`,
    typeof message === 'string' ? message : `${origin} answered with status ${status}.`,
    typeof hint === 'string' ? hint : undefined,
  )
}

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new FleetFailure(
      'refused',
      'invalid_url',
      `${url} is not a valid address.`,
      'Write it like https://auth.example.com.',
    )
  if (parsed.protocol === 'http:' && !isLoopbackHost(parsed.hostname))
    throw new FleetFailure(
      'refused',
      'invalid_url',
      `${url} would send keys without encryption.`,
      'Use the https address.',
    )
  return parsed.origin
}
