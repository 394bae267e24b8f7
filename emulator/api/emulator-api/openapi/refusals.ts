// Describes the refusals of a route as responses of an OpenAPI document. Renders each code as the service does, so that status,
// media type and example are those of real answers.

import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import type { RenderedError, ServiceApp } from '../../../core/request-env.ts'
import type { RouteAnswers } from '../../../core/route-answers.ts'
import { ERROR_SOURCES } from '../../../insight/faults/errors/error-sources.ts'
import type { Dialect } from '../../../insight/faults/operations/fault-operation.ts'
import {
  renderExchangeError,
  renderExchangeInternal,
} from '../../../platform/credentials/token-exchange.ts'
import { AUTH_ERRORS } from '../../../services/auth/errors.ts'
import { CONTROL_ERRORS } from '../../../services/control/errors.ts'
import { renderDataError, renderDataInternal } from '../../../services/data/render-error.ts'
import { renderRealtimeError, renderRealtimeInternal } from '../../../services/realtime/errors.ts'
import { renderStorageError, renderStorageInternal } from '../../../services/storage/errors.ts'
import { ERROR_BODIES } from './error-bodies.ts'
import { COMPONENTS, type Json } from './json.ts'

/** The formats of refusals that HTTP routes have. */
export type HttpDialect = Exclude<Dialect, 'join'>

type Renderers = Pick<ServiceApp, 'renderError' | 'renderInternal'>

const STORAGE: Renderers = {
  renderError: renderStorageError,
  renderInternal: renderStorageInternal,
}
const REALTIME: Renderers = {
  renderError: renderRealtimeError,
  renderInternal: renderRealtimeInternal,
}
const RENDERERS: Readonly<Record<HttpDialect, Renderers>> = {
  control: CONTROL_ERRORS,
  auth: AUTH_ERRORS,
  data: { renderError: renderDataError, renderInternal: renderDataInternal },
  storage: STORAGE,
  tus: STORAGE,
  s3: STORAGE,
  exchange: {
    renderError: (error) => renderExchangeError(error, undefined),
    renderInternal: renderExchangeInternal,
  },
  realtime: REALTIME,
  handshake: REALTIME,
}

const EXAMPLE_REQUEST = {
  faultId: '',
  operation: '',
  method: 'GET',
  target: '/',
  headers: new Headers(),
} as const
const EXAMPLE_TRACE = 'req_01'

interface Refusal {
  /** The code in the route table. */
  readonly code: string
  readonly meaning: string
  readonly rendered: RenderedError
}

/**
 * Renders a code as a service does. Returns `undefined` for a code that is not a refusal, such as `pendente`.
 */
function renderCode(dialect: HttpDialect, code: string): RenderedError | undefined {
  const source = ERROR_SOURCES[dialect]
  if ((source.codes[code]?.status ?? 0) < 300) return undefined
  const outcome = source.make(code, EXAMPLE_REQUEST)
  if (outcome.kind === 'refusal') return outcome.rendered
  if (outcome.kind !== 'error') throw new TypeError(`${dialect} does not render ${code}`)
  const { renderError, renderInternal } = RENDERERS[dialect]
  return renderError(outcome.error) ?? renderInternal(EXAMPLE_TRACE)
}

/** Codes about the choice of the route or method, which a documented operation cannot answer. */
const ROUTING_CODES = new Set([
  'control.method_not_allowed',
  'auth.method_not_allowed',
  'exchange.method_not_allowed',
  'exchange.not_found',
  'storage.routeNotFound',
  'data.PGRST117',
  'data.PGRST101',
])

/** What an answer table states about refusals. */
type OtherRefusals = Pick<RouteAnswers<string>, 'hasErrorPages' | 'protocolRefusals'>

/** The refusals of one dialect, and the components that they refer to. */
export interface RefusalBook {
  /** Returns responses by status, also for the codes of `always`. @param codes further codes of one route */
  responsesFor(codes: readonly string[], more?: OtherRefusals): Json
  /** Members of the document's `components`. */
  readonly schemas: Json
  readonly responses: Json
  readonly examples: Json
}

/**
 * @param always codes that every route of the table can answer
 * @param name prefix for the names of the responses that contain only codes of `always`
 */
export function refusalBook(
  dialect: HttpDialect,
  always: readonly string[],
  name: string = dialect,
): RefusalBook {
  const [schemaName, schema] = ERROR_BODIES[dialect]
  const examples: Record<string, Json> = {}
  const known = new Map<string, Refusal | undefined>()
  function refusalOf(code: string): Refusal | undefined {
    if (known.has(code)) return known.get(code)
    const rendered = ROUTING_CODES.has(`${dialect}.${code}`) ? undefined : renderCode(dialect, code)
    const meaning = ERROR_SOURCES[dialect].codes[code]?.cause ?? ''
    const refusal = rendered && { code, meaning, rendered }
    known.set(code, refusal)
    if (rendered !== undefined)
      examples[`${dialect}.${code}`] = { summary: meaning, value: exampleOf(rendered) }
    return refusal
  }
  function byStatus(codes: readonly string[]): ReadonlyMap<number, readonly Refusal[]> {
    const refusals = [...new Set(codes)].flatMap((code) => refusalOf(code) ?? [])
    return Map.groupBy(refusals, ({ rendered }) => rendered.status)
  }
  const facts = { dialect, schema: { $ref: COMPONENTS + schemaName } }
  const shared = byStatus(always)
  const responses = Object.fromEntries(
    [...shared].map(([status, refusals]) => [`${name}${status}`, responseOf(refusals, facts)]),
  )
  return {
    responsesFor: (codes, { hasErrorPages, protocolRefusals = {} } = {}) => {
      const own = byStatus([...codes, ...always])
      const statuses = [...new Set([...own.keys(), ...Object.keys(protocolRefusals).map(Number)])]
      const described = statuses.map((status) => {
        const refusals = own.get(status) ?? []
        const text = protocolRefusals[status]
        const isShared = refusals.length === shared.get(status)?.length
        return isShared && hasErrorPages !== true && text === undefined
          ? [status, { $ref: `#/components/responses/${name}${status}` }]
          : [status, responseOf(refusals, { ...facts, hasErrorPages, text })]
      })
      return Object.fromEntries(described)
    },
    schemas: { [schemaName]: schema },
    responses,
    examples,
  }
}

interface BodyFacts {
  readonly dialect: HttpDialect
  readonly schema: Json
  readonly hasErrorPages?: true | undefined
  /** Describes a refusal of the protocol, which is plain text. */
  readonly text?: string | undefined
}

function responseOf(
  refusals: readonly Refusal[],
  { dialect, schema, hasErrorPages, text }: BodyFacts,
): Json {
  const content = [...Map.groupBy(refusals, ({ rendered }) => mediaTypeOf(rendered))].map(
    ([type, group]) => [
      type,
      {
        schema: type === 'application/json' ? schema : { type: 'string' },
        examples: Object.fromEntries(
          group.map(({ code }) => [code, { $ref: `#/components/examples/${dialect}.${code}` }]),
        ),
      },
    ],
  )
  const codes = new Set(refusals.map(({ rendered }) => `\`${rendered.code}\``))
  const isTemporary = refusals.some(({ rendered }) => rendered.status === 503)
  return {
    description: [...codes, ...(text === undefined ? [] : [text])].join(', '),
    ...(isTemporary && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: {
      ...(text !== undefined && { 'text/plain': {} }),
      ...(hasErrorPages && { 'text/html': {} }),
      ...Object.fromEntries(content),
    },
  }
}

const RETRY_AFTER: Json = {
  description: 'Seconds to wait, while the database cannot serve the request',
  schema: { type: 'integer' },
}

function mediaTypeOf({ headers }: RenderedError): string {
  const type = new Headers(headers).get('content-type') ?? 'text/plain'
  return type.split(';')[0] ?? type
}

/** Returns the body as a value. The example of an invalid request names one field as its problem. */
function exampleOf(rendered: RenderedError): JsonValue {
  const { body = '' } = rendered
  const value = mediaTypeOf(rendered) === 'application/json' ? parseJson(body) : body
  if (!isJsonObject(value) || value['details'] === undefined || rendered.code !== 'invalid_request')
    return value ?? body
  return { ...value, details: { field: 'is required' } }
}
