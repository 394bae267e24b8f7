// The bodies of refusals in the formats of the services, as JSON schemas (docs/wire/errors.md).
import type { Dialect } from '../../../insight/faults/operations/fault-operation.ts'
import type { Json } from './json.ts'

const TEXT = { type: 'string' } as const

const CODED: Json = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: { code: TEXT, message: TEXT },
      required: ['code', 'message'],
    },
    details: {
      type: 'object',
      additionalProperties: TEXT,
      description: 'Problems by field, with invalid_request',
    },
    trace: { ...TEXT, description: 'Id of the request in the journal, with internal' },
  },
  required: ['error'],
}

const HALF_PUBLISHED: Json = {
  project_id: { ...TEXT, description: 'With clone_incompleto' },
  slug: { ...TEXT, description: 'With clone_incompleto' },
}

const UPSTREAM_STORAGE: Json = {
  type: 'object',
  properties: {
    statusCode: { ...TEXT, description: 'The logical status' },
    error: TEXT,
    message: TEXT,
    code: TEXT,
  },
  required: ['statusCode', 'error', 'message', 'code'],
}

const POSTGREST: Json = {
  type: 'object',
  properties: {
    code: { ...TEXT, description: 'A code of PostgREST or a SQLSTATE' },
    details: { description: 'Text, or a list of candidates' },
    hint: { type: ['string', 'null'] },
    message: TEXT,
  },
  required: ['code', 'details', 'hint', 'message'],
}

const REALTIME: Json = {
  anyOf: [
    { type: 'object', properties: { message: TEXT }, required: ['message'] },
    { type: 'object', properties: { error: TEXT }, required: ['error'] },
    {
      type: 'object',
      properties: { errors: { type: 'object', description: 'Problems by field' } },
      required: ['errors'],
    },
  ],
}

const SOCKET: Json = { type: 'object', properties: { error: TEXT }, required: ['error'] }

/** Name and schema of the JSON body of each dialect's refusals. TUS and S3 use storage's body for internal errors only. */
export const ERROR_BODIES: Readonly<
  Record<Exclude<Dialect, 'join'>, readonly [name: string, schema: Json]>
> = {
  control: [
    'Error',
    { ...CODED, properties: { ...(CODED['properties'] as Json), ...HALF_PUBLISHED } },
  ],
  auth: ['Error', CODED],
  exchange: ['ExchangeError', CODED],
  // Schemas of tables have the names of the tables, which contain no hyphen.
  data: ['refusal-', POSTGREST],
  storage: ['Error', UPSTREAM_STORAGE],
  tus: ['Error', UPSTREAM_STORAGE],
  s3: ['Error', UPSTREAM_STORAGE],
  realtime: ['Error', REALTIME],
  handshake: ['HandshakeError', SOCKET],
}
