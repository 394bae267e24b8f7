// The platform as a test reaches it: nothing but its routes, so that what stands on it works in the emulator's own process
// and from any other.
import type { ReadyLine } from '../contract/addresses.ts'
import { EmulatorError } from '../core/errors.ts'

export type TestingErrorCode =
  | 'refused'
  | 'unknown_tenant'
  | 'unknown_group'
  | 'no_message'
  | 'sql_failed'
  | 'no_pool'

/** A test asked for what is not there, or the platform refused; the message says what to do. */
export class TestingError extends EmulatorError {
  override readonly code: TestingErrorCode
  /** Status of the refusal, 0 when there was none. */
  readonly status: number

  constructor(code: TestingErrorCode, message: string, status = 0) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** What the helpers of a test stand on. */
export interface Platform {
  /** Where it answers: scheme, host and port. */
  readonly origin: string
  /** Answers one request. */
  send(request: Request): Promise<Response>
  /** Opens `/_emulator` where one is asked for. */
  readonly adminToken: string | undefined
}

/** Headers and body of a call. */
export interface Call {
  readonly credential?: string
  readonly body?: unknown
}

/** Calls a route and gives the answer's JSON, `undefined` for an empty one. @throws {TestingError} `refused` */
export async function callPlatform<Body>(
  platform: Platform,
  method: string,
  path: string,
  { credential, body }: Call = {},
): Promise<Body> {
  const headers = new Headers()
  if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const response = await platform.send(
    new Request(new URL(path, platform.origin), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  if (!response.ok)
    throw new TestingError(
      'refused',
      `${method} ${path} was refused with ${response.status}: ${text}`,
      response.status,
    )
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

/** Calls a route of the emulator's own API. @throws {TestingError} `refused` */
export function callEmulator<Body>(
  platform: Platform,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  return callPlatform<Body>(platform, method, `/_emulator/v1${path}`, {
    ...(platform.adminToken === undefined ? {} : { credential: platform.adminToken }),
    ...(body === undefined ? {} : { body }),
  })
}

/** Addresses and keys of everything there is. */
export function readPlatform(platform: Platform): Promise<ReadyLine> {
  return callEmulator<ReadyLine>(platform, 'GET', '/info')
}
