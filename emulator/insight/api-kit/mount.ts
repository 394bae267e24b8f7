// Mounts tables of operations (contract/operation.ts): decodes the request, calls the operation's handler and sends its result.
// The compiler checks that each operation has a handler with the declared result type.

import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Operation, OperationTable, ParamName, Shape } from '../../contract/operation.ts'
import { parseJson } from '../../core/json.ts'
import { isDeeperThan } from '../../core/json-depth.ts'
import type { RequestEnv } from '../../core/request-env.ts'
import { IN_PLAIN_WORDS } from '../../core/schema-problem.ts'
import type { Project } from '../../platform/projects/project.ts'
import { InspectorError } from './errors.ts'

export type Bindings = { Bindings: RequestEnv }

/** A decoded request, as handlers receive it. */
export interface Asked<Name extends string, Stated extends Operation> {
  readonly c: Context<Bindings>
  readonly env: RequestEnv
  readonly params: Readonly<Record<ParamName<Name>, string>>
  readonly query: Decoded<Stated['query']>
  /** `undefined` when the body is a file. For a file, the handler reads the body itself. */
  readonly body: Decoded<Stated['body']> | (Stated extends { upload: object } ? undefined : never)
}

type Decoded<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

type Given<Stated extends Operation> = Stated['answer'] extends z.ZodType
  ? Shape<Stated['answer']> | (Stated extends { readonly mayBeEmpty: true } ? undefined : never)
  : Response

type Handler<Name extends string, Stated extends Operation, Extra> = (
  asked: Asked<Name, Stated> & Extra,
) => Given<Stated> | Promise<Given<Stated>>

export type Handlers<Table extends OperationTable, Extra = unknown> = {
  readonly [Name in keyof Table & string]: Handler<Name, Table[Name], Extra>
}

/** Mounts each operation of the table. */
export function mount<Table extends OperationTable>(
  app: Hono<Bindings>,
  table: Table,
  handlers: Handlers<NoInfer<Table>>,
): void {
  mountEach(app, table, handlers, () => ({}))
}

/** Works as `mount`, for operations below `/projects/:ref`. Finds the project before it decodes query and body. */
export function mountOnProject<Table extends OperationTable>(
  app: Hono<Bindings>,
  table: Table,
  find: (reference: string) => Project,
  handlers: Handlers<NoInfer<Table>, { readonly project: Project }>,
): void {
  mountEach(app, table, handlers, (c) => ({ project: find(c.req.param('ref') ?? '') }))
}

/** Type of a handler inside the loop. The signatures of `mount` and `mountOnProject` have already checked the exact types. */
type AnyHandler = (asked: object) => unknown

function mountEach(
  app: Hono<Bindings>,
  table: OperationTable,
  handlers: object,
  extra: (c: Context<Bindings>) => object,
): void {
  const byName = handlers as Readonly<Record<string, AnyHandler>>
  for (const [name, operation] of Object.entries(table)) {
    const [method = '', path = ''] = name.split(' ')
    const handler = byName[name]
    if (handler === undefined) throw new TypeError(`${name} has no handler`)
    app.on(method, path, async (c) => {
      const found = extra(c)
      const query = operation.query && decode(operation.query, c.req.query())
      const body = await bodyOf(c, operation)
      const asked = { c, env: c.env, params: c.req.param(), query, body, ...found }
      return send(c, operation, await handler(asked))
    })
  }
}

function send(c: Context<Bindings>, { status }: Operation, answer: unknown): Response {
  if (answer instanceof Response) return answer
  return answer === undefined ? c.body(null, 204) : c.json(answer, status ?? 200)
}

/** Maximum nesting depth of a JSON body. The schemas recurse, with several calls for each level. */
const MAX_LEVELS = 500

/** @throws {InspectorError} `invalid_json`, `invalid_request` */
async function bodyOf(
  c: Context<Bindings>,
  { body: schema, upload, isBodyOptional }: Operation,
): Promise<unknown> {
  if (schema === undefined || (upload ?? []).includes(mediaTypeOf(c))) return undefined
  const isAbsent = c.req.raw.body === null || c.req.header('content-length') === '0'
  if (isBodyOptional === true && isAbsent) return decode(schema, {})
  const text = await c.req.text()
  if (isDeeperThan(text, MAX_LEVELS))
    throw new InspectorError('invalid_json', `The body is nested deeper than ${MAX_LEVELS} levels.`)
  const body = parseJson(text)
  if (body === undefined) throw new InspectorError('invalid_json', 'The body is not valid JSON.')
  return decode(schema, body)
}

function mediaTypeOf(c: Context<Bindings>): string {
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** @throws {InspectorError} `invalid_request`; the message lists every problem */
function decode(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, IN_PLAIN_WORDS)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`,
  )
  throw new InspectorError('invalid_request', `The request is not valid. ${problems.join('; ')}.`)
}
