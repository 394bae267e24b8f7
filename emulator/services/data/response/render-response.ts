// Renders status, headers and body of a result (PostgREST, "Tables and Views", "Functions as RPC", "Prefer Header"). Pure.

import { HeaderList } from '../../../core/headers.ts'
import { type JsonValue, parseJson } from '../../../core/json.ts'
import { Answer } from '../../../core/plain-http.ts'
import { DataError, refusalOf, renderRefusal } from '../errors.ts'
import type { RowsResult } from '../execute.ts'
import type { ActionPlan, RowsPlan } from '../plan/plan.ts'
import type { ApiRequest } from '../request/api-request.ts'
import { contentTypeOf } from '../request/media-type.ts'
import { type Preferences, preferenceApplied } from '../request/preferences.ts'
import type { Table } from '../schema-cache/schema-cache.ts'
import { contentRange, headerOverrides, pageHead, statusOverride } from './response-head.ts'

type InfoPlan = Exclude<ActionPlan, RowsPlan | { kind: 'describeSchema' }>
type Headed = readonly (readonly [name: string, value: string])[]

/** An answer before a function or trigger has overridden its status and headers. */
interface Draft {
  readonly status: number
  readonly headers: Headed
  readonly body: Uint8Array | undefined
}

/** @throws {DataError} PGRST111, PGRST112 */
export function renderResponse(request: ApiRequest, plan: RowsPlan, result: RowsResult): Answer {
  if (plan.media.kind === 'plan')
    return respond({ status: 200, headers: contentHeaders(request, plan), body: result.body })
  const made = answerOf(request, plan, result)
  const overrides = headerOverrides(result.responseHeaders)
  const replaced = new Set(overrides.map(([name]) => name.toLowerCase()))
  return respond({
    status: statusOverride(result.responseStatus) ?? made.status,
    headers: [...made.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...overrides],
    body: made.body,
  })
}

/** Answers OPTIONS with the methods that a relation, a function or the schema allows. */
export function renderInfo(plan: InfoPlan): Answer {
  switch (plan.kind) {
    case 'relationInfo':
      return allowing(methodsOf(plan.table))
    case 'routineInfo':
      return allowing(
        plan.routine.volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST',
      )
    case 'schemaInfo':
      return allowing('OPTIONS,GET,HEAD')
    default:
      return plan satisfies never
  }
}

function answerOf(request: ApiRequest, plan: RowsPlan, result: RowsResult): Draft {
  switch (plan.kind) {
    case 'read':
      return page(request, plan, result, [
        ['Content-Location', locationOfRead(request, plan.relation.name)],
      ])
    case 'call':
      return called(request, plan, result)
    case 'mutate':
      return mutated(request, plan, result)
    default:
      return plan satisfies never
  }
}

function page(
  request: ApiRequest,
  plan: Extract<RowsPlan, { kind: 'read' | 'call' }>,
  result: RowsResult,
  first: Headed,
): Draft {
  const head = pageHead(request.range, result.pageTotal, result.total)
  const headers = [
    ['Content-Range', head.contentRange] as const,
    ...first,
    ...contentHeaders(request, plan),
    ...applied(request, plan),
  ]
  if (plan.isHead) return { status: head.status, headers, body: undefined }
  const body = head.status === 416 ? outOfBounds(request, result.total ?? 0) : result.body
  return { status: head.status, headers, body }
}

function called(
  request: ApiRequest,
  plan: Extract<RowsPlan, { kind: 'call' }>,
  result: RowsResult,
): Draft {
  const answer = page(request, plan, result, [])
  const { returns } = plan.routine
  const isVoid =
    !returns.isSet && returns.type.schema === 'pg_catalog' && returns.type.name === 'void'
  if (!isVoid) return answer
  const headers = answer.headers.filter(
    ([name]) => name === 'Content-Range' || name === 'Preference-Applied',
  )
  return { status: 204, headers, body: undefined }
}

function outOfBounds(request: ApiRequest, total: number): Uint8Array {
  const error = new DataError('PGRST103', 'Requested range not satisfiable', {
    details: `An offset of ${request.range.lower} was requested, but there are only ${total} rows.`,
  })
  return new TextEncoder().encode(renderRefusal(refusalOf(error)).body)
}

function mutated(
  request: ApiRequest,
  plan: Extract<RowsPlan, { kind: 'mutate' }>,
  result: RowsResult,
): Draft {
  const { representation, count } = request.preferences
  const isShown = representation === 'representation'
  const headers = [
    ...locationOfInsert(plan, result),
    ...rangeOfMutation(plan, result, count === 'exact' || count === 'estimated'),
    ...applied(request, plan),
    ...(isShown ? contentHeaders(request, plan) : []),
  ]
  const status = statusOfMutation(request, plan, result, isShown)
  return { status, headers, body: isShown ? result.body : NO_BYTES }
}

const NO_BYTES = new Uint8Array()

function statusOfMutation(
  { preferences }: ApiRequest,
  { mutation }: Extract<RowsPlan, { kind: 'mutate' }>,
  { inserted }: RowsResult,
  isShown: boolean,
): number {
  switch (mutation) {
    case 'insert': {
      const isMergeOnly = preferences.resolution === 'merge-duplicates' && (inserted ?? 0) <= 0
      return isMergeOnly ? 200 : 201
    }
    case 'singleUpsert':
      return isShown ? ((inserted ?? 0) > 0 ? 201 : 200) : 204
    case 'update':
    case 'delete':
      return isShown ? 200 : 204
    default:
      return mutation satisfies never
  }
}

function rangeOfMutation(
  { mutation }: Extract<RowsPlan, { kind: 'mutate' }>,
  { pageTotal }: RowsResult,
  isCounted: boolean,
): Headed {
  const total = isCounted ? pageTotal : undefined
  switch (mutation) {
    case 'insert':
    case 'delete':
      return [['Content-Range', contentRange(1, 0, total)]]
    case 'update':
      return [['Content-Range', contentRange(0, pageTotal - 1, total)]]
    case 'singleUpsert':
      return []
    default:
      return mutation satisfies never
  }
}

function locationOfRead({ query }: ApiRequest, relation: string): string {
  const path = pathOf(relation)
  return query.canonical === '' ? path : `${path}?${query.canonical}`
}

function locationOfInsert(
  plan: Extract<RowsPlan, { kind: 'mutate' }>,
  { location }: RowsResult,
): Headed {
  const pairs = location === undefined ? undefined : parseJson(location)
  if (!Array.isArray(pairs) || pairs.length === 0) return []
  const filters = (pairs as readonly JsonValue[]).map((pair) => {
    const [key, value] = Array.isArray(pair) ? (pair as readonly JsonValue[]) : []
    return `${encoded(String(key))}=${encoded(String(value))}`
  })
  return [['Location', `${pathOf(plan.relation.name)}?${filters.join('&')}`]]
}

const CONTROLS = /\p{Cc}/gu

// Like PostgREST, does not percent-encode names, except characters that a header cannot contain.
function pathOf(relation: string): string {
  return `/${relation.replace(CONTROLS, encodeURIComponent)}`
}

// Encodes everything except letters, digits and `-_.~`.
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function contentHeaders(request: ApiRequest, plan: RowsPlan): Headed {
  const type = ['Content-Type', contentTypeOf(plan.media)] as const
  return request.isNegotiatedByProfile ? [type, ['Content-Profile', request.schema]] : [type]
}

// Lists only the preferences that have an effect on this kind of request.
function applied({ preferences, query }: ApiRequest, plan: RowsPlan): Headed {
  const isInsert = plan.kind === 'mutate' && plan.mutation === 'insert'
  const isUpdate = plan.kind === 'mutate' && plan.mutation === 'update'
  const isBounded =
    isUpdate || plan.kind === 'call' || (plan.kind === 'mutate' && plan.mutation === 'delete')
  const hasKey =
    isInsert && plan.mutate.kind === 'insert'
      ? plan.mutate.keyColumns.length > 0 || query.onConflict !== undefined
      : false
  const relevant: Preferences = {
    ...preferences,
    resolution: hasKey ? preferences.resolution : undefined,
    representation: plan.kind === 'mutate' ? preferences.representation : undefined,
    missing: isInsert || isUpdate ? preferences.missing : undefined,
    maxAffected: isBounded ? preferences.maxAffected : undefined,
  }
  const value = preferenceApplied(relevant)
  return value === undefined ? [] : [['Preference-Applied', value]]
}

function methodsOf(table: Table): string {
  const hasKey = table.keyColumns.length > 0
  return [
    'OPTIONS,GET,HEAD',
    ...(table.isInsertable ? ['POST'] : []),
    ...(table.isInsertable && table.isUpdatable && hasKey ? ['PUT'] : []),
    ...(table.isUpdatable ? ['PATCH'] : []),
    ...(table.isDeletable ? ['DELETE'] : []),
  ].join(',')
}

function allowing(methods: string): Answer {
  return new Answer(200, {
    Allow: methods,
    'Access-Control-Allow-Origin': '*',
    'Content-Length': '0',
  })
}

const BODILESS = new Set([204, 205, 304])

function respond({ status, headers, body }: Draft): Answer {
  const list = new HeaderList()
  for (const [name, value] of headers) list.append(name, asBytes(value))
  const mayHaveBody = !BODILESS.has(status) && body !== undefined
  // The HTTP server sets the length of all other bodies.
  if (mayHaveBody && body.length === 0) list.set('Content-Length', '0')
  const isBodiless = !mayHaveBody || body.length === 0
  return new Answer(status, list, isBodiless ? undefined : body)
}

const ASCII = /^[\0-\x7f]*$/

// In header values, each character represents one byte of UTF-8.
function asBytes(value: string): string {
  return ASCII.test(value) ? value : Buffer.from(value).toString('latin1')
}
