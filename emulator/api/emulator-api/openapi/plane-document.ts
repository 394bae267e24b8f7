// Builds the OpenAPI 3.1 document of a plane from its route tables. Pure.
import { z } from 'zod'
import type { Addresses } from '../../../core/request-env.ts'
import type { AnswerBody, RouteAnswers } from '../../../core/route-answers.ts'
import { type Operation, parseRouteKey } from '../../../core/routes.ts'
import {
  COMPONENTS,
  capitalized,
  componentsOf,
  contentOf,
  type Json,
  type NamedSchemas,
  operationId,
  queryParameters,
} from './json.ts'
import type { Plane, PlaneTable } from './planes.ts'
import { type RefusalBook, refusalBook } from './refusals.ts'

/** @param version release of the emulator */
export function planeDocument(
  plane: Plane,
  addresses: Addresses,
  version: string,
): { readonly openapi: '3.1.0' } & Json {
  const { title, description, schemas, credentials, tables } = plane
  const named: NamedSchemas = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) named.add(schema, { id })
  const uses = usesOfOperations(tables)
  const books: RefusalBook[] = []
  const paths: Record<string, Json> = {}
  for (const table of tables) {
    const refusals = refusalBook(table.dialect, table.always)
    books.push(refusals)
    for (const route of routesOf(table, uses))
      paths[route.path] = {
        ...(table.server && { servers: [{ url: table.server(addresses) }] }),
        ...paths[route.path],
        [route.method]: describe(route, named, refusals),
      }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: `${description} ${EVERY_PLANE}` },
    servers: [{ url: plane.server(addresses) }],
    paths,
    components: {
      schemas: {
        ...componentsOf(named),
        ...Object.assign({}, ...books.map((book) => book.schemas)),
      },
      responses: Object.assign({}, ...books.map((book) => book.responses)),
      examples: Object.assign({}, ...books.map((book) => book.examples)),
      securitySchemes: credentials,
    },
  }
}

const EVERY_PLANE = 'GET routes also answer HEAD, without a body.'

interface RouteView {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly params: readonly string[]
  readonly operation: Operation
  readonly answers: RouteAnswers<string>
}

/** Returns one view for each route and method. Omits HEAD when the route also has GET. */
function routesOf(
  { routes, answers }: PlaneTable,
  uses: ReadonlyMap<string, number>,
): readonly RouteView[] {
  // `/cdn/` is the same route as `/cdn`.
  const entries = Object.entries(routes).filter(([key]) => !key.endsWith('/'))
  return entries.flatMap(([key, operation]) => {
    const stated = answers[key as keyof typeof answers]
    if (stated === undefined) throw new TypeError(`the answers of ${key} are not stated`)
    const { methods, path } = parseRouteKey(key)
    const shown = methods.filter((method) => method !== 'HEAD' || !methods.includes('GET'))
    const named = path.replace(/\*$/, `:${REST_OF_PATH}`)
    return shown.map((method) => ({
      id: idOf(operation, `${method} ${named}`, uses),
      method: method.toLowerCase(),
      path: named.replace(/:(\w+)/g, '{$1}'),
      params: [...named.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
      operation,
      answers: stated,
    }))
  })
}

const REST_OF_PATH = 'path'

/** Counts the documented methods of each operation. */
function usesOfOperations(tables: readonly PlaneTable[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { routes } of tables)
    for (const [key, { operation }] of Object.entries(routes)) {
      const methods = parseRouteKey(key).methods.filter((method) => method !== 'HEAD').length
      uses.set(operation, (uses.get(operation) ?? 0) + Math.max(methods, 1))
    }
  return uses
}

/** `tenant.create_key` becomes `tenantCreateKey`. An operation with several routes is named after each route. */
function idOf({ operation }: Operation, route: string, uses: ReadonlyMap<string, number>): string {
  if (uses.get(operation) !== 1) return operationId(route)
  const [first = '', ...words] = operation.split(/[._]/)
  return first + words.map(capitalized).join('')
}

function describe(route: RouteView, named: NamedSchemas, refusals: RefusalBook): Json {
  const { id, operation, answers } = route
  const parameters = parametersOf(route)
  return {
    operationId: id,
    tags: [operation.operation.split('.')[0]],
    summary: `${operation.title}.`,
    security: answers.credentials.map((together) =>
      Object.fromEntries(together.map((credential) => [credential, []])),
    ),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, named),
    responses: {
      ...successesOf(route, named),
      ...refusals.responsesFor(operation.codes, answers),
    },
  }
}

const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'Id of the project',
  group: 'Id of the group, which starts with `grp_`',
  tenant: 'Slug of the tenant. Reading also accepts its id, which starts with `ten_`',
  key: 'Id of the key',
  provider: 'Name of the provider, such as `google`',
  factor: 'Id of the factor',
  bucket: 'Full name of the bucket, `proj_<slug>_<name>`',
  topic: 'Name of the channel, without `realtime:`',
  event: 'Name of the event',
  [REST_OF_PATH]: 'The rest of the path. It may contain slashes, which are sent as they are',
}

function parametersOf({ params, operation, answers }: RouteView): readonly Json[] {
  const query = [operation.query, answers.query].flatMap((one) =>
    one === undefined ? [] : queryParameters(one),
  )
  const isCredential = ({ name }: Json): boolean =>
    name === 'apikey' && answers.credentials.flat().includes('projectKeyInQuery')
  return [
    ...params.map((name) => ({
      name,
      in: 'path',
      required: true,
      description: PARAMETERS[name],
      schema: { type: 'string' },
    })),
    ...query.filter((parameter) => !isCredential(parameter)),
    ...Object.entries(answers.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
  ]
}

function requestBodyOf({ id, operation, answers }: RouteView, named: NamedSchemas): Json {
  const { form } = operation
  const isOptional = operation.isBodyOptional ?? answers.isUploadOptional ?? false
  const body = operation.body ?? answers.body
  if (body === undefined && form === undefined && answers.upload === undefined) return {}
  const ref = (schema: z.ZodType): Json => reference(schema, `${capitalized(id)}Body`, named)
  const content = {
    ...(body && contentOf(['application/json'], ref(body))),
    ...(form && contentOf(['application/x-www-form-urlencoded'], ref(form))),
    ...(answers.upload && contentOf(answers.upload, {})),
  }
  return { requestBody: { required: !isOptional, content } }
}

function successesOf({ id, answers }: RouteView, named: NamedSchemas): Json {
  const describeOne = ([status, body]: [string, AnswerBody]): [string, Json] => [
    status,
    {
      description: DESCRIPTIONS[Number(status)],
      ...headersOf(Number(status), answers.answerHeaders),
      ...contentOfAnswer(body, `${capitalized(id)}Answer`, named),
    },
  ]
  return Object.fromEntries(Object.entries(answers.answers).map(describeOne))
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  101: 'The connection becomes a WebSocket.',
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work is not finished yet.',
  204: 'Done. The answer has no body.',
  206: 'The range that the request asks for.',
  302: 'Redirect.',
  303: 'Redirect.',
  304: 'The copy of the caller is current.',
}

const REDIRECTS = [302, 303]

function headersOf(status: number, stated: RouteAnswers<string>['answerHeaders'] = {}): Json {
  const headers = REDIRECTS.includes(status)
    ? { Location: 'Where the browser goes. A refusal can be in its parameters.' }
    : stated
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return described.length === 0 ? {} : { headers: Object.fromEntries(described) }
}

function contentOfAnswer(body: AnswerBody, id: string, named: NamedSchemas): Json {
  if (body === 'empty') return {}
  if (body instanceof z.ZodType)
    return { content: contentOf(['application/json'], reference(body, id, named)) }
  return { content: contentOf(body as readonly string[], {}) }
}

/** Returns a reference to the schema. A schema without a name gets the name `id`. */
function reference(schema: z.ZodType, id: string, named: NamedSchemas): Json {
  const known = named.get(schema)?.id
  if (known === undefined) named.add(schema, { id })
  return { $ref: COMPONENTS + (known ?? id) }
}
