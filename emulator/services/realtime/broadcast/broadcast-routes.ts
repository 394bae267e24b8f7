// Serves broadcasts over HTTP: one route for batches and one for a single message (docs/wire/realtime.md#broadcast). Both
// routes answer 202 with an empty body.
import type { Clock } from '../../../core/clock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { readRequestBytes } from '../../../core/request-text.ts'
import type { RouteTable } from '../../../core/routes.ts'
import { bearerOf } from '../../../platform/credentials/verify.ts'
import { CREDENTIAL_HEADERS } from '../../../platform/secrets/secret-names.ts'
import { mayEnter } from '../channels/channel-rules.ts'
import type { Hub } from '../channels/hub.ts'
import { RealtimeError } from '../errors.ts'
import { CountingWindow, type RealtimeLimits } from '../limits.ts'
import type { RealtimeErrorCode } from '../refusals.ts'
import { type SharedFrame, sharedUserBroadcast, textBroadcastFrame } from '../sockets/frames.ts'
import { parseWireJson } from '../sockets/wire-json.ts'
import {
  type RealtimeToken,
  RealtimeTokenError,
  type TokenReader,
} from '../tokens/realtime-token.ts'

export interface BroadcastDeps {
  readonly hub: Hub
  readonly tokens: TokenReader
  readonly limits: RealtimeLimits
  /** Counts messages toward a project's rate limit. @throws {RealtimeError} `rate_limited` */
  readonly admitMessages: (schemaName: SchemaName, messages: number) => void
}

export interface BroadcastCall {
  readonly request: Request
  readonly env: RequestEnv
  /** Decoded topic in the path. The text is empty for a route without a topic. */
  readonly topic: string
  /** Decoded event in the path. The text is empty for a route without an event. */
  readonly event: string
}

export type BroadcastHandler = (call: BroadcastCall) => Promise<Response>

export const BROADCAST_ROUTES: RouteTable<BroadcastDeps, BroadcastHandler, RealtimeErrorCode> = {
  'POST /api/broadcast': {
    operation: 'broadcast.send',
    title: 'Broadcasts several messages over HTTP',
    codes: ['invalid_body', 'invalid_messages'],
    handler: (deps) => (call) => sendBatch(deps, call),
  },
  'POST /api/broadcast/:topic/events/:event': {
    operation: 'broadcast.send_one',
    title: 'Broadcasts one message over HTTP',
    codes: ['invalid_messages', 'unsupported_media_type', 'forbidden'],
    handler: (deps) => (call) => sendOne(deps, call),
  },
}

/** Codes that all broadcast routes can answer, in addition to their own. */
export const BROADCAST_ROUTE_CODES: readonly RealtimeErrorCode[] = [
  'unauthorized',
  'rate_limited',
  'payload_too_large',
  'not_found',
  'internal',
  'unavailable',
  'disk_full',
  'disk_failed',
]

async function sendBatch(deps: BroadcastDeps, { request, env }: BroadcastCall): Promise<Response> {
  const { limits } = deps
  const token = await authenticate(deps.tokens, request, env)
  const body = parseWireJson((await readBody(request, limits.frameBytes)).toString('utf8'))
  if (body === undefined) throw invalidBody()
  const messages = decodeMessages(body, limits.payloadBytes)
  deps.admitMessages(token.schemaName, messages.length)
  // Upstream drops a private message without permission and still answers 202.
  for (const { topic, event, payload, isPrivate } of messages)
    if (mayEnter(topic, isPrivate, token))
      cast(deps.hub, topic, isPrivate, (wireTopic) => textBroadcastFrame(wireTopic, event, payload))
  return accepted()
}

async function sendOne(
  deps: BroadcastDeps,
  { request, env, topic, event }: BroadcastCall,
): Promise<Response> {
  const { limits } = deps
  const token = await authenticate(deps.tokens, request, env)
  const isJson = isJsonBody(request)
  const bytes = await readBody(request, limits.frameBytes)
  if (bytes.length > limits.payloadBytes) throw invalidPayload('Payload size exceeds tenant limit')
  if (isJson && parseWireJson(bytes.toString('utf8')) === undefined) throw invalidBody()
  deps.admitMessages(token.schemaName, 1)
  const isPrivate = new URL(request.url).searchParams.get('private') === 'true'
  if (!mayEnter(topic, isPrivate, token))
    throw new RealtimeError(
      'forbidden',
      `You do not have permissions to write to this Channel topic: ${topic}`,
    )
  cast(deps.hub, topic, isPrivate, (wireTopic) =>
    sharedUserBroadcast(wireTopic, { event, isJson, bytes }),
  )
  return accepted()
}

function cast(
  hub: Hub,
  name: string,
  isPrivate: boolean,
  frameOf: (topic: string) => SharedFrame,
): void {
  const room = hub.find(name, isPrivate)
  if (room !== undefined) hub.cast(room, frameOf(room.topic))
}

function invalidBody(): RealtimeError {
  return new RealtimeError('invalid_body', 'The body is not well-formed JSON.')
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}

function invalidPayload(problem: string): RealtimeError {
  return new RealtimeError('invalid_messages', problem, { errors: { payload: [problem] } })
}

async function authenticate(
  tokens: TokenReader,
  request: Request,
  env: RequestEnv,
): Promise<RealtimeToken> {
  const { headers } = request
  const text =
    bearerOf(headers.get(CREDENTIAL_HEADERS.bearer)) ??
    headers.get(CREDENTIAL_HEADERS.projectKey) ??
    undefined
  try {
    const token = await tokens.read(text)
    env.facts.schemaName = token.schemaName
    env.facts.role = token.role
    env.facts.subject = token.subject
    return token
  } catch (error) {
    if (!(error instanceof RealtimeTokenError)) throw error
    throw new RealtimeError('unauthorized', error.message, { message: 'Unauthorized' })
  }
}

/** Returns whether the body is JSON. @throws {RealtimeError} `unsupported_media_type` */
function isJsonBody(request: Request): boolean {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || type === 'application/json') return true
  if (type === 'application/octet-stream') return false
  const error = 'Unsupported Media Type. Use application/json or application/octet-stream'
  throw new RealtimeError('unsupported_media_type', error, { error })
}

async function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const bytes = await readRequestBytes(request, maxBytes)
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  throw new RealtimeError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the maximum for this route. Send fewer or smaller messages.`,
  )
}

/** Creates a function that refuses messages of a project above the rate in `limits`. */
export function createMessageGate(
  limits: RealtimeLimits,
  wallClock: Clock,
): BroadcastDeps['admitMessages'] {
  const windows = new Map<SchemaName, CountingWindow>()
  return (schemaName, messages) => {
    if (messages > limits.messagesPerSecond)
      throw new RealtimeError(
        'rate_limited',
        'Too many messages to broadcast, please reduce the batch size',
      )
    const window = windows.get(schemaName) ?? new CountingWindow()
    windows.set(schemaName, window)
    if (!window.admitsRate(wallClock.now(), limits.messagesPerSecond, messages))
      throw new RealtimeError('rate_limited', 'You have exceeded your rate limit')
  }
}

// Decodes the body of POST …/api/broadcast. The decoder reports errors per field, as upstream's validator does
// (docs/wire/realtime.md#broadcast). Pure.

interface HttpMessage {
  /** The topic without `realtime:`. */
  readonly topic: string
  readonly event: string
  readonly payload: JsonObject
  readonly isPrivate: boolean
}

type Problems = Readonly<Record<string, readonly string[]>>

/**
 * @param payloadBytes the maximum size of each payload in bytes
 * @throws {RealtimeError} `invalid_messages`
 */
export function decodeMessages(
  body: JsonValue | undefined,
  payloadBytes: number,
): readonly HttpMessage[] {
  const list = isJsonObject(body) ? body['messages'] : undefined
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0))
    throw invalid(["can't be blank"])
  if (!Array.isArray(list)) throw invalid(['is invalid'])
  const problems = list.map((entry) => problemsOf(entry, payloadBytes))
  if (problems.some((each) => Object.keys(each).length > 0)) throw invalid(problems)
  return list.filter(isJsonObject).map((entry) => ({
    topic: String(entry['topic']),
    event: String(entry['event']),
    payload: isJsonObject(entry['payload']) ? entry['payload'] : {},
    isPrivate: isTrue(entry['private']),
  }))
}

function invalid(messages: readonly Problems[] | readonly string[]): RealtimeError {
  const errors: JsonObject = { messages }
  return new RealtimeError('invalid_messages', `Not sent: ${JSON.stringify(errors)}`, { errors })
}

function problemsOf(entry: JsonValue, payloadBytes: number): Problems {
  const message = isJsonObject(entry) ? entry : {}
  const problems: Record<string, readonly string[]> = {}
  for (const name of ['topic', 'event']) {
    const value = message[name]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
      problems[name] = ["can't be blank"]
    else if (typeof value !== 'string') problems[name] = ['is invalid']
  }
  const payload = message['payload']
  if (payload === undefined || payload === null) problems['payload'] = ["can't be blank"]
  else if (!isJsonObject(payload)) problems['payload'] = ['is invalid']
  else if (Buffer.byteLength(JSON.stringify(payload)) > payloadBytes)
    problems['payload'] = ['Payload size exceeds tenant limit']
  const isPrivate = message['private']
  if (!FLAGS.has(isPrivate)) problems['private'] = ['is invalid']
  return problems
}

const FLAGS = new Set<JsonValue | undefined>([
  undefined,
  null,
  true,
  false,
  'true',
  'false',
  '1',
  '0',
])

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 'true' || value === '1'
}
