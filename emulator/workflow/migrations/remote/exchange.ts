// Sends requests to a platform that runs elsewhere, and sorts failures by what the caller may do next. When an answer is lost,
// the caller checks whether the request was carried out before it repeats it. A refusal is final.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { isLoopbackHost } from '../../../core/loopback.ts'
import { AnswerError } from '../../../platform/http-client/answer-error.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import { readJson } from '../../../platform/http-client/read-json.ts'
import type { FleetFailureKind } from '../apply/fleet.ts'
import { RemoteError } from './remote-error.ts'
import type { NamedKey } from './remote-keys.ts'

export interface RemoteRequest {
  readonly origin: string
  readonly http: HttpClient
  readonly key: NamedKey
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly target: string
  readonly body?: JsonObject
}

export interface RemoteAnswer {
  readonly status: number
  readonly body: JsonValue
}

/**
 * Returns the origin of the platform. A key may be sent without encryption only to this machine.
 * @throws {RemoteError} `no_platform`
 */
export function originOf(url: string): string {
  const { hostname, origin, protocol } = URL.canParse(url) ? new URL(url) : {}
  if (hostname === undefined || origin === undefined || !/^https?:$/.test(protocol ?? ''))
    throw new RemoteError('no_platform', `${url} is not a valid address.`, {
      hint: 'Write the address of the platform’s auth host, such as https://auth.example.com.',
    })
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    throw new RemoteError('no_platform', `${origin} would receive the key without encryption.`, {
      hint: 'Use the https address.',
    })
  return origin
}

/** Returns the platform's answer in JSON: a result, or a refusal with status 4xx. @throws {RemoteError} */
export async function exchange(request: RemoteRequest): Promise<RemoteAnswer> {
  const { body, status } = await send(request)
  if (isLostStatus(status) || status === 401) throw refusalOf(request, status, body)
  if (body === undefined || (status >= 300 && status < 400))
    return failStranger(request.origin, status)
  return { status, body }
}

/** Returns the body of a result. @throws {RemoteError} */
export async function resultOf(request: RemoteRequest): Promise<JsonValue> {
  const { body, status } = await exchange(request)
  if (status >= 200 && status < 300) return body
  throw refusalOf(request, status, body)
}

async function send({ body, http, key, method, origin, target }: RemoteRequest): Promise<{
  readonly status: number
  readonly body: JsonValue | undefined
}> {
  try {
    const { bytes, status } = await http.send({
      url: origin + target,
      method,
      headers: {
        authorization: `Bearer ${key.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status, body: readJson(origin, bytes.toString()) }
  } catch (cause) {
    if (!(cause instanceof AnswerError)) throw cause
    throw new RemoteError('no_answer', cause.message, {
      kind: 'lost',
      cause,
      hint: `${cause.hint ?? ''} Then run the command again.`,
    })
  }
}

/** Whether the request may have been carried out although the answer has this status. */
function isLostStatus(status: number): boolean {
  return status >= 500 || status === 408
}

/** Returns the error for an answer that contains no result. */
export function refusalOf(
  { key, origin }: RemoteRequest,
  status: number,
  body: JsonValue | undefined,
): RemoteError {
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : undefined
  const code = textOf(error?.['code'])
  const said = textOf(error?.['message'])
  return new RemoteError(
    code === '' ? `http_${status}` : code,
    `${origin} answered ${status}${code === '' ? '' : ` ${code}`}${said === '' ? '.' : `: ${said}`}`,
    {
      kind: kindOf(status),
      hint: hintOf(status, key.variable, textOf(error?.['hint'])),
    },
  )
}

function kindOf(status: number): FleetFailureKind {
  return isLostStatus(status) ? 'lost' : status === 401 ? 'unauthorized' : 'refused'
}

function hintOf(status: number, variable: string, hint: string): string {
  switch (status) {
    case 401:
      return `The key in ${variable} is wrong, expired or revoked. Create a new one and set ${variable}.`
    case 403:
      return `The key in ${variable} belongs to another project or group, or the project is not active.`
    case 404:
      return `Check --project and --group, and that ${variable} belongs to their owner.`
    default:
      return hint === ''
        ? 'Run the command again. If the answer stays the same, ask the platform’s support.'
        : hint
  }
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** @param status status of the answer that cannot be read. Only after a status 2xx, the request may have been carried out. */
export function failStranger(origin: string, status: number): never {
  throw new RemoteError('no_platform', `The server at ${origin} is not the platform’s auth host.`, {
    kind: status >= 200 && status < 300 ? 'lost' : 'refused',
    hint: 'Give the address of the platform’s auth host.',
  })
}
