// Builds the OpenAPI 3.1 document of one project's data plane from the Swagger 2.0 document that the data plane itself answers
// at `/` (docs/wire/data-plane.md). Adds credentials, refusals, null values and the columns of writes. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { OPERATIONS } from '../../faults/operations/find-operation.ts'
import { nameOf, type Relations, relationsOf } from './data-relations.ts'
import type { Json } from './json.ts'
import { type RefusalBook, refusalBook } from './refusals.ts'

export interface DataPlane {
  readonly slug: string
  /** Address of the data host. */
  readonly url: string
  /** The Swagger document that a service role key gets. */
  readonly swagger: JsonObject
}

/** @param version release of the emulator */
export function dataDocument(
  { slug, url, swagger }: DataPlane,
  version: string,
): { readonly openapi: '3.1.0' } & Json {
  const relations = relationsOf(swagger)
  const tables = refusalBook('data', codesOf('rows.read'))
  const functions = refusalBook('data', codesOf('function.call'), 'call')
  const paths = Object.entries(objectIn(swagger, 'paths')).map(([path, operations]) => {
    const book = path.startsWith('/rpc/') ? functions : tables
    return [
      encoded(path),
      isJsonObject(operations) ? pathOf(path, operations, relations, book) : {},
    ]
  })
  return {
    openapi: '3.1.0',
    info: { title: `Data of ${slug}`, version, description: descriptionOf(swagger) },
    servers: [{ url }],
    security: [{ apikey: [], token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...relations.schemas, ...tables.schemas },
      parameters: relations.parameters,
      responses: { ...tables.responses, ...functions.responses },
      examples: { ...tables.examples, ...functions.examples },
      securitySchemes: CREDENTIALS,
    },
  }
}

const CREDENTIALS: Json = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'A project key, which names the project',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A project key or a data_plane_token, which determines role and user',
  },
}

const NOTES =
  'Tables, views and functions that a service role key may use; policies and grants can refuse them to other roles. `select` changes the members of rows, and adds members for embedded tables. A refusal can have any SQLSTATE, with the status of its class in PostgREST. GET routes also answer HEAD, without a body. A table with a primary key also has PUT, which upserts one row.'

function descriptionOf(swagger: JsonObject): string {
  const { description } = objectIn(swagger, 'info')
  return typeof description === 'string' && description !== ''
    ? `${description}\n\n${NOTES}`
    : NOTES
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Codes of an operation, with those of every operation. */
function codesOf(operation: string): readonly string[] {
  return OPERATIONS.find((one) => one.operation === operation)?.codes ?? []
}

function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name]
  return isJsonObject(value) ? value : {}
}

const VERBS: Readonly<Record<string, string>> = {
  get: 'read',
  post: 'insert',
  patch: 'update',
  delete: 'delete',
}

function pathOf(
  path: string,
  operations: JsonObject,
  relations: Relations,
  book: RefusalBook,
): Json {
  const refusals = book.responsesFor([])
  const described = Object.entries(operations).map(([method, operation]) => {
    const { summary, description, tags, parameters } = isJsonObject(operation) ? operation : {}
    const given = listOf(parameters)
    const view = {
      operationId: idOf(path, method),
      ...(tags !== undefined && { tags }),
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      ...relations.parametersOf(given),
      ...relations.requestBodyOf(given, method),
      responses: { ...successesOf(path, method), ...refusals },
    }
    return [method, view]
  })
  return Object.fromEntries(described)
}

function idOf(path: string, method: string): string {
  if (path === '/') return 'describe'
  const [, first = '', called] = path.split('/')
  if (called !== undefined) return `${method === 'get' ? 'query' : 'call'}_${nameOf(called)}`
  return `${VERBS[method] ?? method}_${nameOf(first)}`
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

function successesOf(path: string, method: string): Json {
  if (path === '/')
    return { 200: { description: 'Swagger 2.0.', content: { 'application/openapi+json': {} } } }
  if (path.startsWith('/rpc/'))
    return {
      200: { description: 'The result.', content: { 'application/json': {} } },
      204: { description: 'Done. The function returns void.' },
    }
  const row = { $ref: `#/components/schemas/${nameOf(path.slice(1))}` }
  const content = {
    'application/json': { schema: { type: 'array', items: row } },
    'application/vnd.pgrst.object+json': { schema: row },
    'text/csv': {},
  }
  const rows = { description: 'Rows.', content }
  if (method === 'get')
    return { 200: rows, 206: { description: 'A part of the rows, as the range says.', content } }
  const written = {
    description: 'The written rows, with `Prefer: return=representation`.',
    content,
  }
  return method === 'post'
    ? { 200: written, 201: { ...written, description: `Created. ${written.description}` } }
    : { 200: written, 204: { description: 'Done. The answer has no body.' } }
}
