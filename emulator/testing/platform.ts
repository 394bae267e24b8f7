// Calls the platform's routes for the test helpers. Uses only these routes, so that the helpers work in any process.
import type { ReadyLine } from '../contract/addresses.ts'
import { EmulatorError } from '../core/errors.ts'

export type TestingErrorCode =
  | 'refused'
  | 'unknown_tenant'
  | 'unknown_group'
  | 'no_message'
  | 'sql_failed'
  | 'no_pool'

/** A helper found nothing, or the platform refused a request. */
export class TestingError extends EmulatorError {
  override readonly code: TestingErrorCode
  /** HTTP status of a refused request, else 0. */
  readonly status: number

  constructor(code: TestingErrorCode, message: string, status = 0) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** A platform that helpers call. */
export interface Platform {
  /** Scheme, host and port. */
  readonly origin: string
  /** Answers one request. */
  send(request: Request): Promise<Response>
  /** Token for `/_emulator`, if it requires one. */
  readonly adminToken: string | undefined
}

/** Headers and body of a call. */
export interface Call {
  readonly credential?: string
  readonly body?: unknown
}

/** Calls a route and returns the answer's JSON, `undefined` for an empty answer. @throws {TestingError} `refused` */
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

/** Reads all addresses and keys. */
export function readPlatform(platform: Platform): Promise<ReadyLine> {
  return callEmulator<ReadyLine>(platform, 'GET', '/info')
}
