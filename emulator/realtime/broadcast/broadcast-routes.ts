// Broadcasting over HTTP: the batch and the single route (docs/wire/realtime.md#broadcast). Answers 202 with an empty body.
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import type { RequestEnv } from '../../core/request-env.ts'
import { readRequestBytes } from '../../core/request-text.ts'
import { bearerOf } from '../../credentials/verified.ts'
import { mayEnter } from '../channels/channel-rules.ts'
import type { Hub } from '../channels/hub.ts'
import { RealtimeError } from '../errors.ts'
import { CountingWindow, RATE_WINDOW_MILLIS, type RealtimeLimits } from '../limits.ts'
import { type SharedFrame, sharedUserBroadcast } from '../sockets/frames.ts'
import { parseWireJson } from '../sockets/wire-json.ts'
import {
  type RealtimeToken,
  RealtimeTokenError,
  type TokenReader,
} from '../tokens/realtime-token.ts'
import { decodeMessages } from './broadcast-batch.ts'
import { textBroadcastFrame } from './broadcast-frame.ts'

export interface BroadcastRouteDeps {
  readonly hub: Hub
  readonly tokens: TokenReader
  readonly limits: RealtimeLimits
  readonly wallClock: Clock
}

export type BroadcastRoute = (request: Request, env: RequestEnv) => Promise<Response>

export interface BroadcastRoutes {
  /** POST /api/broadcast */
  readonly batch: BroadcastRoute
  /** POST /api/broadcast/:topic/events/:event[?private=true] */
  single(topic: string, event: string): BroadcastRoute
}

export function createBroadcastRoutes(deps: BroadcastRouteDeps): BroadcastRoutes {
  const { hub, limits } = deps
  const refuseHaste = rateLimit(deps)

  function cast(name: string, isPrivate: boolean, frameOf: (topic: string) => SharedFrame): void {
    const room = hub.find(name, isPrivate)
    if (room !== undefined) hub.cast(room, frameOf(room.topic))
  }

  return {
    batch: async (request, env) => {
      const token = await authenticate(deps.tokens, request, env)
      const body = parseWireJson((await readBody(request, limits.frameBytes)).toString('utf8'))
      if (body === undefined)
        throw new RealtimeError('invalid_body', 'The body is not well-formed JSON.')
      const messages = decodeMessages(body, limits.payloadBytes)
      refuseHaste(token.schemaName, messages.length)
      // fact: a private message without permission is 202 and dropped.
      for (const { topic, event, payload, isPrivate } of messages)
        if (mayEnter(topic, isPrivate, token))
          cast(topic, isPrivate, (wireTopic) => textBroadcastFrame(wireTopic, event, payload))
      return accepted()
    },
    single: (topic, event) => async (request, env) => {
      const token = await authenticate(deps.tokens, request, env)
      const isJson = isJsonBody(request)
      const bytes = await readBody(request, limits.frameBytes)
      if (bytes.length > limits.payloadBytes)
        throw invalidPayload('Payload size exceeds tenant limit')
      if (isJson && parseWireJson(bytes.toString('utf8')) === undefined)
        throw new RealtimeError('invalid_body', 'The body is not well-formed JSON.')
      refuseHaste(token.schemaName, 1)
      const isPrivate = new URL(request.url).searchParams.get('private') === 'true'
      if (!mayEnter(topic, isPrivate, token))
        throw new RealtimeError(
          'forbidden',
          `You do not have permissions to write to this Channel topic: ${topic}`,
        )
      cast(topic, isPrivate, (wireTopic) =>
        sharedUserBroadcast(wireTopic, { event, isJson, bytes }),
      )
      return accepted()
    },
  }
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
  const text = bearerOf(headers.get('authorization')) ?? headers.get('apikey') ?? undefined
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

/** @throws {RealtimeError} `unsupported_media_type` */
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
    `The body is larger than ${maxBytes} bytes, the most this route reads.`,
  )
}

function rateLimit({ limits, wallClock }: BroadcastRouteDeps) {
  const windows = new Map<SchemaName, CountingWindow>()
  return (schemaName: SchemaName, messages: number): void => {
    if (messages > limits.messagesPerSecond)
      throw new RealtimeError(
        'rate_limited',
        'Too many messages to broadcast, please reduce the batch size',
      )
    const window = windows.get(schemaName) ?? new CountingWindow()
    windows.set(schemaName, window)
    const most = (limits.messagesPerSecond * RATE_WINDOW_MILLIS) / 1_000
    if (!window.admits(wallClock.now(), RATE_WINDOW_MILLIS, most, messages))
      throw new RealtimeError('rate_limited', 'You have exceeded your rate limit')
  }
}
