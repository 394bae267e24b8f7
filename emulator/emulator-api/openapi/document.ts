// GET /_emulator/v1/openapi.json: OpenAPI 3.1 of the emulator's own API. Paths are those that are mounted, queries and bodies
// the schemas they are decoded with, answers the types of the contract.
import { z } from 'zod'
import type { Operation, OperationTable } from './operation.ts'

export interface MountedRoute {
  /** As Hono has it: upper case, `ALL` for what is no route. */
  readonly method: string
  /** With the base path. */
  readonly path: string
}

type Schema = Readonly<Record<string, unknown>>

export interface DocumentParts {
  readonly version: string
  readonly base: string
  readonly routes: readonly MountedRoute[]
  readonly operations: OperationTable
  readonly contract: Readonly<Record<string, Schema>>
}

/** `GET /projects/:ref/users` of each mounted route, without the base path, once. */
export function operationNames(routes: readonly MountedRoute[], base: string): readonly string[] {
  const names = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.slice(base.length)}`)
  return [...new Set(names)]
}

/** Pure; a route without a description appears with its path alone. */
export function openApiDocument(parts: DocumentParts): Schema {
  const { version, base, routes, operations, contract } = parts
  const schemas = new SchemaStore(contract)
  const paths: Record<string, Record<string, Schema>> = {}
  for (const name of operationNames(routes, base)) {
    const [method = '', path = ''] = name.split(' ')
    const shownPath = path.replace(/:(\w+)/g, '{$1}')
    paths[shownPath] = {
      ...paths[shownPath],
      [method.toLowerCase()]: describe(name, path, operations[name], schemas),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The emulator’s own API',
      version,
      description:
        'What the inspector, the command line, fixtures and tests use; no application needs it. It answers on loopback only, unless the emulator was started with an admin token, which every request carries then.',
    },
    servers: [{ url: base }],
    paths,
    components: {
      schemas: { ...schemas.all(), Error: ERROR_SCHEMA },
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { adminToken: [] }],
  }
}

const ERROR_SCHEMA: Schema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
}

function describe(
  name: string,
  path: string,
  operation: Operation | undefined,
  schemas: SchemaStore,
): Schema {
  const { summary, query, body, upload, status = 200 } = operation ?? {}
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, param]) => ({
      name: param,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query === undefined ? [] : queryParameters(name, query, schemas)),
  ]
  const content =
    body === undefined
      ? upload && contentOf(upload, { type: 'string' })
      : contentOf(['application/json'], schemas.ofZod(name, body))
  return {
    operationId: operationId(name),
    ...(summary === undefined ? {} : { summary }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: true, content } }),
    responses: {
      [status]: { description: 'Done.', content: answerContent(operation) },
      default: {
        description: 'Refused; the message says why and what helps.',
        content: contentOf(['application/json'], contractReference('Error')),
      },
    },
  }
}

function answerContent(operation: Operation | undefined): Schema {
  const { answer = 'object' } = operation ?? {}
  if (typeof answer !== 'string') return contentOf(answer, { type: 'string' })
  const schema = answer === 'object' ? { type: 'object' } : contractReference(answer)
  return contentOf(['application/json'], schema)
}

function contractReference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

function contentOf(types: readonly string[], schema: Schema): Schema {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

/** `GET /projects/:ref/users` becomes `getProjectsRefUsers`. */
function operationId(name: string): string {
  const [method = '', ...words] = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function queryParameters(name: string, query: z.ZodType, schemas: SchemaStore): readonly Schema[] {
  const { properties = {}, required = [] } = schemas.ofZod(name, query) as {
    readonly properties?: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([param, schema]) => ({
    name: param,
    in: 'query',
    required: required.includes(param),
    schema,
  }))
}

/** Schemas by name, references within the document. */
class SchemaStore {
  readonly #schemas: Record<string, unknown>

  constructor(contract: Readonly<Record<string, Schema>>) {
    this.#schemas = { ...contract }
  }

  all(): Schema {
    return this.#schemas
  }

  /** What a route takes, before defaults and transformations. Shared parts move to the document's own. */
  ofZod(name: string, schema: z.ZodType): Schema {
    const prefix = operationId(name)
    const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    const {
      $schema: _dialect,
      $defs = {},
      ...own
    } = JSON.parse(text.replaceAll('"#/$defs/', `"#/components/schemas/${prefix}_`)) as Record<
      string,
      Schema
    >
    for (const [part, definition] of Object.entries($defs))
      this.#schemas[`${prefix}_${part}`] = definition
    return own
  }
}
