// Calls the API of a running emulator (docs/reference/emulator-api.md). The CLI's commands use this module. So does an emulator
// that compares a recording with its own responses.
import { BASE, requestLine } from '../../contract/operation.ts'
import type {
  Answer,
  CallArguments,
  Inputs,
  JsonOperationName,
  OperationName,
} from '../../contract/operations.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import { AnswerError } from './answer-error.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { readJson } from './read-json.ts'

export type RunningEmulatorErrorCode = 'not_running' | 'no_emulator' | 'no_answer' | 'refused'

/** Thrown when nothing or another program answers at the address, or when the emulator refuses the call or does not answer. */
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

/** Wall-clock milliseconds of silence after which a call checks whether the emulator still answers. */
const SILENCE_MILLIS = 15_000

/** Untyped form of `Inputs`, which fits every operation. */
interface Sendable {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** @param url any address of the emulator; only its origin is used */
export function reachEmulator(
  url: string,
  adminToken: string | undefined,
  http: HttpClient,
): RunningEmulator {
  const origin = originOf(url)
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  // Some calls take minutes, such as applying a fixture. A health check distinguishes a slow call from a stopped process.
  const periodMillis = Math.min(http.bounds.periodMillis, SILENCE_MILLIS)
  const isAlive = (): Promise<boolean> =>
    http.send({ url: `${origin}${BASE}/health`, method: 'GET', headers, periodMillis }).then(
      () => true,
      () => false,
    )
  const requestOf = (name: string, { body, ...inputs }: Sendable = {}): HttpRequest => {
    const [method, path] = requestLine(name, inputs)
    const request = { url: origin + BASE + path, method, headers, isAlive, periodMillis }
    if (body === undefined) return request
    const withType = { ...headers, 'content-type': 'application/json' }
    return { ...request, headers: withType, body: JSON.stringify(body) }
  }
  const send = (name: string, inputs?: Sendable): Promise<HttpAnswer> =>
    translating(origin, () => http.send(requestOf(name, inputs)))
  return {
    call: async <Name extends JsonOperationName>(name: Name, ...[inputs]: CallArguments<Name>) => {
      const answer = await send(name, inputs)
      const text = answer.bytes.toString()
      if (!isOk(answer)) throw refusedWith(origin, text)
      return (text === '' ? undefined : jsonOf(origin, text)) as Answer<Name>
    },
    open: async (name, inputs) => {
      const answer = await translating(origin, () => http.open(requestOf(name, inputs)))
      if (answer instanceof ReadableStream) return answer
      throw refusedWith(origin, answer.bytes.toString())
    },
    read: async (name, inputs) => {
      const answer = await send(name, inputs)
      const text = answer.bytes.toString()
      const isText = answer.headers.get('content-type')?.startsWith('text/plain') === true
      if (!(isOk(answer) && isText)) throw refusedWith(origin, text)
      return text
    },
  }
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300
}

function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw new RunningEmulatorError(
    'not_running',
    `${url} is not a valid address.`,
    'Write it like http://127.0.0.1:7357.',
  )
}

async function translating<Result>(origin: string, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    if (error.code !== 'no_connection')
      throw new RunningEmulatorError('no_answer', error.message, error.hint)
    throw new RunningEmulatorError(
      'not_running',
      `No emulator answers at ${origin}.`,
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

/** @throws {RunningEmulatorError} */
function jsonOf(origin: string, text: string): JsonValue {
  const value = readJson(origin, text)
  if (value === undefined) throw strangerAt(origin)
  return value
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
