// Speaking to an emulator that runs in another process, over its own API (docs/reference/emulator-api.md).
import { EmulatorError } from '../core/errors.ts'

export type RunningEmulatorErrorCode = 'not_running' | 'no_emulator' | 'refused'

/** Nothing answers, something else answers, or the emulator refused. */
export class RunningEmulatorError extends EmulatorError {
  override readonly code: RunningEmulatorErrorCode

  constructor(code: RunningEmulatorErrorCode, message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.code = code
  }
}

export interface RunningEmulator {
  /**
   * Gives the answer's body, `undefined` for an answer without one.
   * @param body sent as JSON
   * @throws {RunningEmulatorError}
   */
  call(method: string, path: string, query?: Query, body?: object): Promise<unknown>
  /** Gives an answer that is plain text. @throws {RunningEmulatorError} */
  read(path: string): Promise<string>
  /** Gives an answer piece by piece. @throws {RunningEmulatorError} */
  open(path: string, query?: Query): Promise<ReadableStream<Uint8Array>>
}

/** Absent values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** @param url any address of the emulator; only its origin counts */
export function reachEmulator(url: string, adminToken: string | undefined): RunningEmulator {
  const origin = originOf(url)
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  return {
    call: async (method, path, query = {}, body) => {
      const target = targetOf(origin, path, query)
      const response = await answerOf(target, { method, ...sent(headers, body) })
      const text = await response.text()
      if (text === '') return undefined
      return bodyOf(origin, response, text)
    },
    open: async (path, query = {}) => {
      const response = await answerOf(targetOf(origin, path, query), { headers })
      if (!response.ok || response.body === null) throw refusedWith(origin, await response.text())
      return response.body
    },
    read: async (path) => {
      const response = await answerOf(new URL(`/_emulator/v1${path}`, origin), {
        method: 'GET',
        headers,
      })
      const text = await response.text()
      const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
      if (!(response.ok && isText)) throw refusedWith(origin, text)
      return text
    },
  }
}

function targetOf(origin: string, path: string, query: Query): URL {
  const target = new URL(`/_emulator/v1${path}`, origin)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value))
  return target
}

function sent(headers: Readonly<Record<string, string>>, body: object | undefined): RequestInit {
  if (body === undefined) return { headers }
  const withType = { ...headers, 'content-type': 'application/json' }
  return { headers: withType, body: JSON.stringify(body) }
}

function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw new RunningEmulatorError(
    'not_running',
    `${url} is not the address of an emulator.`,
    'Write it like http://127.0.0.1:7357.',
  )
}

async function answerOf(target: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(target, init)
  } catch {
    throw new RunningEmulatorError(
      'not_running',
      `No emulator answers at ${target.origin}.`,
      'Start one with "tenantry start", or say where it is with --url.',
    )
  }
}

function bodyOf(origin: string, response: Response, text: string): unknown {
  if (!response.ok) throw refusedWith(origin, text)
  return jsonOf(origin, text)
}

function refusedWith(origin: string, text: string): RunningEmulatorError {
  const { message, hint } = refusalOf(jsonOf(origin, text)) ?? {}
  return message === undefined
    ? strangerAt(origin)
    : new RunningEmulatorError('refused', message, hint)
}

function jsonOf(origin: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw strangerAt(origin)
  }
}

function strangerAt(origin: string): RunningEmulatorError {
  return new RunningEmulatorError(
    'no_emulator',
    `What answers at ${origin} is not an emulator.`,
    'Say where the emulator is with --url.',
  )
}

function refusalOf(body: unknown): { message?: string; hint?: string } | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  return typeof error === 'object' && error !== null ? error : undefined
}
