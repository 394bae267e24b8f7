// Calls the API of an emulator in another process (docs/reference/emulator-api.md). The commands of the command line use it.
import { BASE, requestLine } from '../contract/operation.ts'
import type {
  Answer,
  CallArguments,
  Inputs,
  JsonOperationName,
  OperationName,
} from '../contract/operations.ts'
import { EmulatorError } from '../core/errors.ts'

export type RunningEmulatorErrorCode = 'not_running' | 'no_emulator' | 'refused'

/** Thrown when nothing answers at the address, another program answers, or the emulator refuses the call. */
export class RunningEmulatorError extends EmulatorError {
  override readonly code: RunningEmulatorErrorCode

  constructor(code: RunningEmulatorErrorCode, message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.code = code
  }
}

export interface RunningEmulator {
  /** Calls an operation whose answer is JSON. @throws {RunningEmulatorError} */
  call<Name extends JsonOperationName>(
    name: Name,
    ...args: CallArguments<Name>
  ): Promise<Answer<Name>>
  /** Calls an operation whose answer is plain text. @throws {RunningEmulatorError} */
  read<Name extends OperationName>(name: Name, inputs: Inputs<Name>): Promise<string>
  /** Calls an operation whose answer is a stream. @throws {RunningEmulatorError} */
  open<Name extends OperationName>(
    name: Name,
    inputs: Inputs<Name>,
  ): Promise<ReadableStream<Uint8Array>>
}

/** Untyped form of `Inputs`, which fits every operation. */
interface Sendable {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** @param url any address of the emulator; only its origin is used */
export function reachEmulator(url: string, adminToken: string | undefined): RunningEmulator {
  const origin = originOf(url)
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  const send = (name: string, inputs: Sendable = {}): Promise<Response> => {
    const [method, path] = requestLine(name, inputs)
    return answerOf(new URL(BASE + path, origin), { method, ...sent(headers, inputs.body) })
  }
  return {
    call: async <Name extends JsonOperationName>(name: Name, ...[inputs]: CallArguments<Name>) => {
      const response = await send(name, inputs)
      const text = await response.text()
      if (!response.ok) throw refusedWith(origin, text)
      return (text === '' ? undefined : jsonOf(origin, text)) as Answer<Name>
    },
    open: async (name, inputs) => {
      const response = await send(name, inputs)
      if (!response.ok || response.body === null) throw refusedWith(origin, await response.text())
      return response.body
    },
    read: async (name, inputs) => {
      const response = await send(name, inputs)
      const text = await response.text()
      const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
      if (!(response.ok && isText)) throw refusedWith(origin, text)
      return text
    },
  }
}

function sent(headers: Readonly<Record<string, string>>, body: unknown): RequestInit {
  if (body === undefined) return { headers }
  const withType = { ...headers, 'content-type': 'application/json' }
  return { headers: withType, body: JSON.stringify(body) }
}

function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw new RunningEmulatorError(
    'not_running',
    `${url} is not a valid address.`,
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
      'Start one with "tenantry start", or choose one of "tenantry list" with --url.',
    )
  }
}

function refusedWith(origin: string, text: string): RunningEmulatorError {
  const { code, message, hint } = refusalOf(jsonOf(origin, text)) ?? {}
  if (code === 'admin_token_required')
    return new RunningEmulatorError(
      'refused',
      `The emulator at ${origin} was started with an admin token, and the token is missing or wrong.`,
      'Give it with --admin-token.',
    )
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

interface Refusal {
  readonly code?: string
  readonly message?: string
  readonly hint?: string
}

function strangerAt(origin: string): RunningEmulatorError {
  return new RunningEmulatorError(
    'no_emulator',
    `The program at ${origin} is not an emulator.`,
    'Give the address of the emulator with --url.',
  )
}

function refusalOf(body: unknown): Refusal | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  return typeof error === 'object' && error !== null ? error : undefined
}
