// Sends all requests of the pages: to the emulator's own API below /_emulator/v1, and to the platform's public routes.
// Public routes get credentials of GET /info.
import {
  BASE,
  EVENTS_AFTER_HEADER,
  EVENTS_HEADER,
  INSPECTOR_MARK,
  requestLine,
} from '../../emulator/contract/operation.ts'
import type {
  Answer,
  CallArguments,
  Inputs,
  JsonOperationName,
  OperationName,
} from '../../emulator/contract/operations.ts'
import { adminTokenState, wantAdminToken } from './admin-token.ts'

export interface FileProblem {
  readonly line: number | null
  readonly column: string | null
  readonly message: string
}

/** What Postgres reports about a statement that it refused, as far as known. */
export interface SqlRefusal {
  readonly state: string
  readonly details: string | undefined
  readonly column: string | undefined
  readonly constraint: string | undefined
}

/** Parts of an error response that only some operations send. */
interface RefusalFacts {
  readonly problems?: readonly FileProblem[]
  readonly sql?: SqlRefusal | undefined
  readonly current?: CurrentCells | undefined
}

/** The present cells of a row that has changed since it was read, by column. */
export type CurrentCells = Readonly<Record<string, string | null>>

/** An error response. The code is `unreachable` when there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** What the user can do, when the emulator gives advice. */
  readonly hint: string | undefined
  /** Problems in a refused file, with their lines. */
  readonly problems: readonly FileProblem[]
  readonly sql: SqlRefusal | undefined
  readonly current: CurrentCells | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    hint?: string,
    { problems = [], sql, current }: RefusalFacts = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.hint = hint
    this.problems = problems
    this.sql = sql
    this.current = current
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Whether only the page itself uses the answer. The clock does not list a token minted for the page among the expiries. */
  readonly isForPage?: boolean
}

/** Calls an operation of the emulator's own API. @throws {ApiError} */
export async function call<Name extends JsonOperationName>(
  name: Name,
  ...args: CallArguments<Name, CallOptions>
): Promise<Answer<Name>> {
  const { answer } = await callCounted(name, ...args)
  return answer
}

export interface CountedAnswer<Name extends JsonOperationName> {
  readonly answer: Answer<Name>
  /** The number of live events when the answer was ready. Later requests read the effects of all of them. */
  readonly events: number
}

/** Calls an operation like `call`, and also returns the number of events. @throws {ApiError} */
export async function callCounted<Name extends JsonOperationName>(
  name: Name,
  ...args: CallArguments<Name, CallOptions>
): Promise<CountedAnswer<Name>> {
  const [given] = args as readonly [({ readonly body?: unknown } & CallOptions)?]
  const inputs = given ?? {}
  const { body, isForPage = false, signal } = inputs
  const headers = new Headers()
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (isForPage) headers.set(INSPECTOR_MARK, '1')
  const response = await send(name, inputs, {
    ...(signal && { signal }),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const events = Number(response.headers.get(EVENTS_AFTER_HEADER) ?? 0)
  return { answer: (await bodyOf(response)) as Answer<Name>, events }
}

/** Sends a file to an operation, or receives one from it. @throws {ApiError} */
export function callWithFile<Name extends OperationName>(
  name: Name,
  inputs: Inputs<Name>,
  init: RequestInit = {},
): Promise<Response> {
  return send(name, inputs, init)
}

let firstCount: string | undefined

/**
 * The number of events that the emulator had sent before the page's first request; `undefined` until that request is answered.
 */
export function eventsAtFirst(): number | undefined {
  return firstCount === undefined ? undefined : Number(firstCount)
}

async function send(name: string, inputs: object, init: RequestInit): Promise<Response> {
  const [method, path] = requestLine(name, inputs)
  const { token } = adminTokenState()
  const headers = new Headers(init.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const response = await reach(BASE + path, { ...init, method, headers })
  firstCount ??= response.headers.get(EVENTS_HEADER) ?? undefined
  if (response.ok) return response
  const refusal = await refusalOf(response)
  // The refusal concerns the token of this request. The user may have entered another token since then.
  if (refusal.code === 'admin_token_required' && token === adminTokenState().token) wantAdminToken()
  throw refusal
}

export interface PlatformCall extends Omit<RequestInit, 'body'> {
  /** The request sends the credential as `authorization: Bearer …`. */
  readonly credential?: string
  /** The request sends objects and arrays as JSON, and other bodies unchanged. */
  readonly body?: unknown
}

/**
 * Calls a public route of the platform: the management plane by path, other services by full URL. Returns error responses as
 * well, so that screens can show them as an application receives them. @throws {ApiError} `unreachable`
 */
export function platformFetch(url: string, options: PlatformCall = {}): Promise<Response> {
  const { credential, body, ...init } = options
  const headers = new Headers(init.headers)
  if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`)
  headers.set(INSPECTOR_MARK, '1')
  const isJson = isPlain(body)
  if (isJson && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return reach(url, {
    ...init,
    headers,
    credentials: 'omit',
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
  })
}

/** Calls a public route and parses its JSON. @throws {ApiError} for an error response */
export async function platformJson<Body>(url: string, options?: PlatformCall): Promise<Body> {
  const response = await platformFetch(url, options)
  if (!response.ok) throw await refusalOf(response)
  return (await bodyOf(response)) as Body
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(
      0,
      'unreachable',
      'The emulator does not answer.',
      'Check that it is still running.',
    )
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** Reads an error response in any of the platform's formats. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const outer = isRecord(body) ? body : {}
  const inner = isRecord(outer['error']) ? outer['error'] : outer
  return new ApiError(
    response.status,
    textOf(inner['code']) ??
      textOf(inner['error_code']) ??
      textOf(inner['error']) ??
      `http_${response.status}`,
    textOf(inner['message']) ?? textOf(inner['msg']) ?? `The emulator returned ${response.status}.`,
    textOf(inner['hint']),
    {
      problems: problemsOf(inner['problems']),
      sql: sqlRefusalOf(inner),
      // Only the emulator's own API sends this member, always with texts and nulls.
      current: isRecord(inner['current']) ? (inner['current'] as CurrentCells) : undefined,
    },
  )
}

function sqlRefusalOf(error: Readonly<Record<string, unknown>>): SqlRefusal | undefined {
  const state = textOf(error['sql_state'])
  if (state === undefined) return undefined
  return {
    state,
    details: textOf(error['details']),
    column: textOf(error['column']),
    constraint: textOf(error['constraint']),
  }
}

function problemsOf(value: unknown): readonly FileProblem[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).map((problem) => ({
    line: typeof problem['line'] === 'number' ? problem['line'] : null,
    column: textOf(problem['column']) ?? null,
    message: textOf(problem['message']) ?? '',
  }))
}

function isPlain(body: unknown): boolean {
  return Array.isArray(body) || (isRecord(body) && Object.getPrototypeOf(body) === Object.prototype)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
