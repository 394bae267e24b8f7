// Builds the OpenAPI 3.1 document of one project's data plane from the Swagger 2.0 document that the data plane itself answers
// at `/` (docs/wire/data-plane.md). Adds credentials, refusals, null values and the columns of writes. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import type { FaultOperation } from '../../../insight/faults/operations/fault-operation.ts'
import { OPERATIONS } from '../../../insight/faults/operations/find-operation.ts'
import { CREDENTIAL_HEADERS } from '../../../platform/secrets/secret-names.ts'
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
  const tables = refusalBook('data', operationNamed('rows.read').codes)
  const functions = refusalBook('data', operationNamed('function.call').codes, 'call')
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
    name: CREDENTIAL_HEADERS.projectKey,
    description: 'A project key, which names the project',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A project key or a data_plane_token, which determines role and user',
  },
}

const NOTES = [
  'Tables, views and functions that a service role key may use; policies and grants can refuse them to other roles.',
  '`select` changes the members of rows, and adds members for embedded tables.',
  'Rows are JSON. `Accept` also takes `text/csv` and, for one row, `application/vnd.pgrst.object+json`; `Content-Type` also takes `text/csv`.',
  'A refusal can have any SQLSTATE, with the status of its class in PostgREST.',
  'GET routes also answer HEAD, without a body. A table with a primary key also has PUT, which upserts one row.',
].join(' ')

/** PostgREST's title of a schema without a comment. */
const NO_COMMENT = 'PostgREST API'

function descriptionOf(swagger: JsonObject): string {
  const { title, description } = objectIn(swagger, 'info')
  const comment = title === NO_COMMENT ? [] : [title, description]
  return [...comment, NOTES].filter((part) => typeof part === 'string' && part !== '').join('\n\n')
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Finds an operation by name. Its codes include the codes that every operation can answer. */
function operationNamed(name: string): FaultOperation {
  const operation = OPERATIONS.find((one) => one.operation === name)
  if (operation === undefined) throw new TypeError(`the data plane has no operation ${name}`)
  return operation
}

function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name]
  return isJsonObject(value) ? value : {}
}

/** The operations of a table by method, and the first words of their ids. */
const OF_TABLES: Readonly<Record<string, readonly [operation: string, verb: string]>> = {
  get: ['rows.read', 'read'],
  post: ['rows.insert', 'insert'],
  patch: ['rows.update', 'update'],
  delete: ['rows.delete', 'delete'],
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
    const { title, id } = nameOperation(path, method)
    // PostgREST splits the comment of a table or function into a summary and a description.
    const comment = [summary, description].filter((part) => typeof part === 'string').join('\n\n')
    const view = {
      operationId: id,
      ...(tags !== undefined && { tags }),
      summary: `${title}.`,
      ...(comment !== '' && { description: comment }),
      ...relations.parametersOf(given),
      ...relations.requestBodyOf(given, method),
      responses: { ...successesOf(path, method), ...refusals },
    }
    return [method, view]
  })
  return Object.fromEntries(described)
}

function nameOperation(path: string, method: string) {
  const titleOf = (operation: string): string => operationNamed(operation).title
  if (path === '/') return { title: titleOf('schema.describe'), id: 'describe' }
  const [, table = '', called] = path.split('/')
  if (called !== undefined) {
    const verb = method === 'get' ? 'query' : 'call'
    return { title: titleOf('function.call'), id: `${verb}_${nameOf(called)}` }
  }
  const [operation, verb] = OF_TABLES[method] ?? ['rows.read', method]
  return { title: titleOf(operation), id: `${verb}_${nameOf(table)}` }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

function successesOf(path: string, method: string): Json {
  if (path === '/')
    return { 200: { description: 'Swagger 2.0.', content: { 'application/openapi+json': {} } } }
  if (path.startsWith('/rpc/')) {
    const result = { description: 'The result.', content: { 'application/json': {} } }
    const done = { description: 'Done. The function returns void.' }
    return { 200: result, ...(method === 'get' && { 206: partOf(result) }), 204: done }
  }
  const row = { $ref: `#/components/schemas/${nameOf(path.slice(1))}` }
  const content = { 'application/json': { schema: { type: 'array', items: row } } }
  const rows = { description: 'Rows.', content }
  if (method === 'get') return { 200: rows, 206: partOf(rows) }
  const written = {
    description: 'The written rows, with `Prefer: return=representation`.',
    content,
  }
  return method === 'post'
    ? { 200: written, 201: { ...written, description: `Created. ${written.description}` } }
    : { 200: written, 204: { description: 'Done. The answer has no body.' } }
}

function partOf(rows: Json): Json {
  return { ...rows, description: 'A part of the rows, as the range says.' }
}
