// GET /_emulator/v1/openapi.json: the OpenAPI 3.1 document of the emulator's own API, generated from the operations in
// contract/. The API loads this file on first use.
import { z } from 'zod'
import { BASE, type Operation } from '../../../contract/operation.ts'
import { CONCEPTS, OPERATIONS } from '../../../contract/operations.ts'
import {
  AS_SENT,
  COMPONENTS,
  componentsOf,
  contentOf,
  type Json,
  type NamedSchemas,
  operationId,
  queryParameters,
} from './json.ts'

/** Builds the document. Pure. */
export function openApiDocument(version: string): { readonly openapi: '3.1.0' } & Json {
  const named = namedSchemas()
  const paths: Record<string, Json> = {}
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = name.split(' ')
    const shownPath = path.replace(/:(\w+)/g, '{$1}')
    paths[shownPath] = {
      ...paths[shownPath],
      [method.toLowerCase()]: describe(name, operation, named),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The emulator’s own API',
      version,
      description:
        'The inspector, the command line, fixtures and tests use this API; applications do not need it. The API answers on loopback only, unless the emulator has an admin token. With an admin token, every request must carry it.',
    },
    servers: [{ url: BASE }],
    paths,
    components: {
      schemas: { ...componentsOf(named), Error: ERROR_SCHEMA },
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { adminToken: [] }],
  }
}

const ERROR_SCHEMA: Json = {
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

/** Every exported schema of contract/, by its name. */
function namedSchemas(): NamedSchemas {
  const registry = z.registry<{ id: string }>()
  for (const concept of CONCEPTS)
    for (const [id, exported] of Object.entries(concept))
      if (exported instanceof z.ZodType) registry.add(exported, { id })
  return registry
}

function schemaOf(schema: z.ZodType, named: NamedSchemas): Json {
  const id = named.get(schema)?.id
  if (id !== undefined) return { $ref: COMPONENTS + id }
  const { $schema: _dialect, ...own } = z.toJSONSchema(schema, AS_SENT)
  return own
}

function describe(name: string, operation: Operation, named: NamedSchemas): Json {
  const { summary, query, answer, status = 200, mayBeEmpty, isDeprecated } = operation
  const parameters = [
    ...[...name.matchAll(/:(\w+)/g)].map(([, param]) => ({
      name: param,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query === undefined ? [] : queryParameters(query)),
  ]
  const content =
    answer instanceof z.ZodType
      ? contentOf(['application/json'], schemaOf(answer, named))
      : contentOf(answer, { type: 'string' })
  return {
    operationId: operationId(name),
    summary,
    ...(isDeprecated && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, named),
    responses: {
      [status]: { description: 'Done.', content },
      ...(mayBeEmpty && { 204: { description: 'The answer is empty.' } }),
      default: {
        description: 'The request was refused. The message says why and what to do.',
        content: contentOf(['application/json'], { $ref: `${COMPONENTS}Error` }),
      },
    },
  }
}

function requestBody({ body, isBodyOptional, upload }: Operation, named: NamedSchemas): Json {
  if (body === undefined && upload === undefined) return {}
  const content = {
    ...(body && contentOf(['application/json'], schemaOf(body, named))),
    ...(upload && contentOf(upload, { type: 'string' })),
  }
  return { requestBody: { required: isBodyOptional !== true, content } }
}
