// Calls the platform's routes for the test helpers. The helpers use only routes, so that they work in any process.
import type { ReadyLine } from '../../contract/addresses.ts'
import { defined } from '../../core/defined.ts'
import { EmulatorError } from '../../core/errors.ts'

/** Code of a helper that failed. */
export type TestingErrorCode =
  | 'refused'
  | 'unknown_tenant'
  | 'unknown_group'
  | 'no_message'
  | 'sql_failed'
  | 'no_pool'
  | 'migration_failed'
  | 'no_history'
  | 'no_emulator'
  | 'no_address'

/** The error of a helper that found nothing, or whose request the platform refused. */
export class TestingError extends EmulatorError {
  override readonly code: TestingErrorCode
  /** HTTP status of a refused request, or 0 for other errors. */
  readonly status: number

  constructor(code: TestingErrorCode, message: string, status = 0) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** A platform that the helpers call. */
export interface Platform {
  /** Scheme, host and port of the platform. */
  readonly origin: string
  /** Sends a request and returns the response. */
  send(request: Request): Promise<Response>
  /** Token for `/_emulator`, if `/_emulator` requires one. */
  readonly adminToken: string | undefined
}

/** Calls an emulator through its URL. */
export function remotePlatform(url: string, adminToken?: string): Platform {
  return { origin: new URL(url).origin, send: (request) => fetch(request), adminToken }
}

/** Credential and body of a call. */
export interface Call {
  readonly credential?: string
  readonly body?: unknown
}

/** Calls a route. Returns the response's JSON, or `undefined` for an empty response. @throws {TestingError} `refused` */
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
    new Request(
      new URL(path, platform.origin),
      defined({ method, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
    ),
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
  const call = defined({ credential: platform.adminToken, body })
  return callPlatform<Body>(platform, method, `/_emulator/v1${path}`, call)
}

/** Reads all addresses and keys of the platform. */
export function readPlatform(platform: Platform): Promise<ReadyLine> {
  return callEmulator<ReadyLine>(platform, 'GET', '/info')
}
