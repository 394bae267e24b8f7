// Types and decoders of a signed-in user's session (docs/wire/auth.md#session).
import { localError } from './errors.ts'

/** A user's session: the PASETO `access_token` for auth calls, and the `data_plane_token` for data, storage and realtime. */
export interface Session {
  readonly access_token: string
  readonly data_plane_token: string
  readonly refresh_token: string
  readonly token_type: string
  /** Lifetime in seconds, counted from the response. */
  readonly expires_in: number
  /** Time of expiry in epoch seconds by the platform's clock. */
  readonly expires_at: number
  readonly user: User
}

/** An end user. Timestamps are ISO 8601 in UTC. */
export interface User {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  readonly email_confirmed_at: string | null
  readonly phone_confirmed_at: string | null
  readonly last_sign_in_at: string | null
  readonly role: string
  readonly user_metadata: Readonly<Record<string, unknown>>
  readonly app_metadata: Readonly<Record<string, unknown>>
  readonly identities: readonly Readonly<Record<string, unknown>>[]
  readonly factors: readonly Factor[]
  readonly created_at: string
  readonly updated_at: string
}

/** A user's second factor. */
export interface Factor {
  readonly id: string
  readonly factor_type: string
  readonly friendly_name: string | null
  readonly status: 'unverified' | 'verified'
  readonly created_at: string
  readonly updated_at: string
}

/** Decodes the response of a sign-in. @throws {AuthError} `unexpected_answer` */
export function readSession(answer: unknown): Session {
  if (isSession(answer)) return answer
  throw localError('unexpected_answer', 'The response of the platform contains no session.')
}

/** Whether `value` has all members of a session that the library uses. */
export function isSession(value: unknown): value is Session {
  return (
    isRecord(value) &&
    ['access_token', 'data_plane_token', 'refresh_token'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    typeof value['expires_in'] === 'number' &&
    isRecord(value['user'])
  )
}

/** Decodes a response with `{user}`. @throws {AuthError} `unexpected_answer` */
export function readUser(answer: unknown): User {
  const user = isRecord(answer) ? answer['user'] : undefined
  if (isUser(user)) return user
  throw localError('unexpected_answer', 'The response of the platform contains no user.')
}

/** Whether `value` has the member of a user that the library uses. */
function isUser(value: unknown): value is User {
  return isRecord(value) && typeof value['id'] === 'string'
}

/** Whether `value` is an object and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON text. Returns `undefined` when the text is missing or malformed. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
