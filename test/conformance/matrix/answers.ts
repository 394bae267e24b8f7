// Requests and responses of a run, grouped into situations: the same route with the same outcome. Pure.
import { parseJson } from '../../../emulator/core/json.ts'
import type { SeenAnswer } from '../../support/test-boundary.ts'
import type { Json } from '../../support/test-emulator.ts'

export interface AskedRequest {
  readonly method: string
  /** Path and query, as at the address that serves all services. */
  readonly target: string
  /** Text of the body; `undefined` for bytes and for an absent body. */
  readonly body: string | undefined
}

/** Fixed segments of paths. Every other segment is a name. */
const WORDS = new Set(
  `platform v1 v2 groups projects tenants keys db exec buckets purge template publish session signup regenerate
  auth signin signout token refresh user identities password forgot reset otp send verify magic magic-link magiclink mfa enroll
  unenroll factors challenge authorize callback google github apple microsoft linkedin exchange link unlink settings sessions recover
  st rt storage bucket object list sign upload move copy info public authenticated render image empty resumable s3 status
  rpc rest .well-known jwks.json broadcast realtime api _emulator nothing`.split(/\s+/),
)
/** Fixed segments of storage paths, before a bucket and a key with any number of segments. */
const OBJECT_PATH = /^(\/storage\/v1\/(?:object|render|upload|s3)(?:\/(?!proj_)[a-z]+)*)\/.*$/

/** Returns the path with `:x` instead of names. */
export function routeOf(target: string): string {
  const [path = ''] = target.split(/[?#]/)
  const [, object] = OBJECT_PATH.exec(path) ?? []
  if (object !== undefined) return `${object}/:object`
  return path
    .replace(/^\/rest\/v1(?=\/)/, '')
    .split('/')
    .map((segment) => (segment === '' || WORDS.has(segment) ? segment : ':x'))
    .join('/')
}

/** Names the situation of an answer. Answers with the same service, route, status, code and cause have the same situation. */
export function situationOf(request: AskedRequest, answer: SeenAnswer): string {
  const start = `${request.method} ${routeOf(request.target)}`
  const body = jsonOf(answer)
  const error = body?.error
  const code = error?.code ?? body?.code ?? (typeof error === 'string' ? error : undefined)
  if (answer.status >= 400 && code !== undefined)
    return `${start} -> ${answer.status} ${code} ${shapeOf(error?.message ?? body?.message)}`
  const names = [...new URLSearchParams(request.target.split('?')[1] ?? '').keys()]
  const query = names.length === 0 ? '' : `?${[...new Set(names)].sort().join('&')}`
  return `${start}${query} -> ${answer.status}`
}

/** Returns what was requested, without the ids and tokens of the run. */
export function inputOf({ body, method, target }: AskedRequest): string {
  return [method, target, body ?? ''].map(anonymous).join(' ').trim().slice(0, 200)
}

export function jsonOf({ bytes }: SeenAnswer): Json {
  return parseJson(bytes.toString())
}

/** Removes names and numbers from a message, so that messages with the same cause are equal. */
function shapeOf(message: unknown): string {
  return String(message ?? '')
    .replace(/["“'`][^"”'`]*["”'`]/g, '~')
    .replace(/\S*[\d_/]\S*/g, '~')
    .replace(/\b(slug|tenant|project) [^\s~]+/gi, '$1 ~')
    .slice(0, 60)
}

function anonymous(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b(grp|ten|req|key)_[a-z2-7]{8,}/g, '$1_ID')
    .replace(/(ey[\w-]+|v4)\.[\w-]+\.[\w.-]+|sdb_[a-z]+_[\w-]+/g, 'TOKEN')
}
