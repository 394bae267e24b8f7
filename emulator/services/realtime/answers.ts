// States the credentials and answers of realtime's HTTP routes for the OpenAPI document (docs/wire/realtime.md).
import { z } from 'zod'
import type { AnswerTable } from '../../core/route-answers.ts'

export type RealtimeCredential =
  | 'realtimeToken'
  | 'tokenHeader'
  | 'tokenInQuery'
  | 'tokenInSocketHeader'
  | 'projectCredential'

const RealtimeToken = z.object({
  token: z.string().describe('HS256 JWT'),
  url: z.string().describe('Address of the socket'),
  role: z.string().describe('`rt_proj_<slug>`'),
  papel_de_origem: z.enum(['anon', 'authenticated', 'service_role']),
  expires_in: z.int().describe('Seconds'),
})

const Broadcast = z.object({
  topic: z.string().min(1).describe('Name of the channel, without `realtime:`'),
  event: z.string().min(1),
  payload: z.record(z.string(), z.unknown()),
  private: z.boolean().nullish(),
})
const BroadcastBatch = z.object({ messages: z.array(Broadcast).min(1) })

/** Schemas by their name in the OpenAPI document. */
export const REALTIME_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  RealtimeToken,
  Broadcast,
  BroadcastBatch,
}

export const REALTIME_TOKEN_ANSWERS: AnswerTable<RealtimeCredential> = {
  'POST /rt/v1/token': { credentials: [['projectCredential']], answers: { 200: RealtimeToken } },
}

const BY_TOKEN = [['realtimeToken'], ['tokenHeader']] as const

export const BROADCAST_ANSWERS: AnswerTable<RealtimeCredential> = {
  'POST /api/broadcast': {
    credentials: BY_TOKEN,
    answers: { 202: 'empty' },
    body: BroadcastBatch,
  },
  'POST /api/broadcast/:topic/events/:event': {
    credentials: BY_TOKEN,
    answers: { 202: 'empty' },
    query: z.object({ private: z.enum(['true', 'false']).optional() }),
    upload: ['application/json', 'application/octet-stream'],
  },
}

/** The handshake of a socket, which is not in a route table. Frames are described in docs/wire/realtime.md#frames. */
export const SOCKET_ANSWERS: AnswerTable<RealtimeCredential> = {
  'GET /websocket': {
    credentials: [['tokenInQuery'], ['tokenInSocketHeader']],
    answers: { 101: 'empty' },
    query: z.object({ vsn: z.enum(['1.0.0', '2.0.0']).optional() }),
  },
}
