// The shape of a request is the request without its filter values. Requests of the same shape share a plan and a statement.
// Caches plans and statements by request shape, so that a request of a known shape is not parsed, planned or compiled. The cached
// plan contains marks instead of values, so no value is kept after its request. A plan is cached only if filling in the values
// gives the statement that compiling the request gave.
import { keepNewest } from '../../core/keep-newest.ts'
import { bind, type Sql, type SqlParam } from '../../database/sql.ts'
import type { ActionPlan, RowsPlan } from './plan/plan.ts'
import type { Action, ApiRequest, Parsable, Payload } from './request/api-request.ts'
import type { MediaType } from './request/media-type.ts'
import { readPayload } from './request/payload.ts'
import { decodeText, encodeText } from './request/query-string.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataSettings } from './settings.ts'
import type { CompiledPlan } from './sql/compile-plan.ts'

/** A prepared request that returns rows. */
export interface PreparedRows {
  readonly request: ApiRequest
  readonly plan: RowsPlan
  readonly compiled: CompiledPlan
}

/** A prepared request. A request without `compiled` needs no statement. */
export type Prepared =
  | PreparedRows
  | {
      readonly request: ApiRequest
      readonly plan: Exclude<ActionPlan, RowsPlan>
      readonly compiled: undefined
    }

/** The cache for one schema cache and one set of settings. */
export interface ShapeMemory {
  /**
   * Returns the prepared request from the cache, or `undefined` for an unknown shape. @throws {DataError} PGRST102 for an invalid
   * body
   */
  recall(shape: RequestShape, body: Uint8Array): PreparedRows | undefined
  /**
   * Records a prepared request. Caches the request's shape when the shape occurs for the second time.
   * @param prepareMarked prepares the same request with marks instead of values
   */
  learn(
    shape: RequestShape,
    prepared: PreparedRows,
    prepareMarked: (markedSearch: string) => Prepared,
  ): void
}

/** Returns the cache for these settings. The cache of shapes lasts as long as the schema cache. */
export function shapeMemoryOf(cache: SchemaCache, settings: DataSettings): ShapeMemory {
  const ofCache = memories.get(cache) ?? new WeakMap<DataSettings, ShapeMemory>()
  memories.set(cache, ofCache)
  const memory = ofCache.get(settings) ?? createShapeMemory()
  ofCache.set(settings, memory)
  return memory
}

const memories = new WeakMap<SchemaCache, WeakMap<DataSettings, ShapeMemory>>()

interface Head {
  /** Determines how to read the body. */
  readonly action: Action
  readonly contentType: MediaType
  readonly columns: readonly string[] | undefined
  /** Templates by the body's shape. `unfit` marks a body shape that cannot be cached. */
  readonly templates: Map<string, Template | 'unfit'>
}

interface Template {
  readonly marked: PreparedRows
  readonly main: readonly Place[]
  readonly explainCount: readonly Place[]
  /** The canonical query, split at the values. */
  readonly canonical: readonly (string | { readonly value: number })[]
}

/** A statement parameter: the index of a value of the request, or a constant. */
type Place = { readonly value: number } | { readonly constant: SqlParam }

const REMEMBERED_HEADS = 500
const REMEMBERED_BODIES = 20

function createShapeMemory(): ShapeMemory {
  const heads = new Map<string, Head>()
  return {
    recall: ({ key, values }, sent) => {
      const head = heads.get(key)
      if (head === undefined || head.templates.size === 0) return undefined
      const { action, contentType, columns } = head
      const body = readPayload(sent, contentType, action, columns)
      const shape = bodyShapeOf(body.payload, body.columns)
      const template = shape === undefined ? undefined : head.templates.get(shape)
      if (template === undefined || template === 'unfit') return undefined
      return fill(template, withBody(values, body.payload))
    },
    learn: (shape, prepared, prepareMarked) => {
      const head = heads.get(shape.key)
      if (head === undefined) {
        const { action, contentType, query } = prepared.request
        keepNewest(heads, REMEMBERED_HEADS, shape.key, {
          action,
          contentType,
          columns: query.columns,
          templates: new Map(),
        })
        return
      }
      const { payload, columns } = prepared.request
      const bodyShape = bodyShapeOf(payload, columns)
      if (bodyShape === undefined || head.templates.has(bodyShape)) return
      const template = templateOf(shape, prepared, prepareMarked(shape.markedSearch)) ?? 'unfit'
      keepNewest(head.templates, REMEMBERED_BODIES, bodyShape, template)
    },
  }
}

function templateOf(
  shape: RequestShape,
  prepared: PreparedRows,
  marked: Prepared,
): Template | undefined {
  if (marked.compiled === undefined) return undefined
  const { payload } = prepared.request
  const values = withBody(shape.values, payload)
  const marks = withBody(
    shape.values.map((_, index) => markOf(index)),
    marked.request.payload,
  )
  const { main, explainCount } = marked.compiled
  const template: Template = {
    marked,
    main: placesOf(main, marks),
    explainCount: placesOf(explainCount, marks),
    canonical: cut(marked.request.query.canonical, marks.map(encodeText)),
  }
  return isSame(fill(template, values), prepared) ? template : undefined
}

function placesOf(statement: Sql | undefined, marks: readonly string[]): Place[] {
  const params = statement?.params ?? []
  return params.map((param) => {
    const value = param === null ? -1 : marks.indexOf(param)
    return value < 0 ? { constant: param } : { value }
  })
}

function cut(text: string, marks: readonly string[]): Template['canonical'] {
  return marks.reduce<Template['canonical']>(
    (parts, mark, value) =>
      parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(mark).flatMap((piece, index) => (index === 0 ? [piece] : [{ value }, piece]))
          : [part],
      ),
    [text],
  )
}

function fill(template: Template, values: readonly string[]): PreparedRows {
  const { marked, main, explainCount } = template
  const { request, plan, compiled } = marked
  const canonical = template.canonical
    .map((part) => (typeof part === 'string' ? part : encodeText(values[part.value] ?? '')))
    .join('')
  return {
    request: { ...request, query: { ...request.query, canonical } },
    plan,
    compiled: {
      ...compiled,
      main: bind(compiled.main, paramsOf(main, values)),
      explainCount:
        compiled.explainCount && bind(compiled.explainCount, paramsOf(explainCount, values)),
    },
  }
}

function paramsOf(places: readonly Place[], values: readonly string[]): SqlParam[] {
  return places.map((place) => ('value' in place ? (values[place.value] ?? null) : place.constant))
}

function isSame(filled: PreparedRows, made: PreparedRows): boolean {
  return (
    filled.request.query.canonical === made.request.query.canonical &&
    isSameStatement(filled.compiled.main, made.compiled.main) &&
    isSameStatement(filled.compiled.explainCount, made.compiled.explainCount)
  )
}

function isSameStatement(one: Sql | undefined, other: Sql | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.text === other.text && one.params.every((param, index) => param === other.params[index])
  )
}

export interface RequestShape {
  /** Everything that can change the plan or the statement, except the body. */
  readonly key: string
  /** Decoded values of filters and arguments, in the order of the query string. */
  readonly values: readonly string[]
  /** The query string with `markOf(n)` instead of the n-th value. */
  readonly markedSearch: string
}

const MARK = '\u{e000}'
const MARK_IN_TEXT = /\u{e000}|%ee%80%80/iu
const LONGEST_KEY = 4_000
const HEADERS = ['accept', 'prefer', 'range', 'content-type'] as const

// The placeholder that replaces the n-th value.
function markOf(index: number): string {
  return `${MARK}${index}${MARK}`
}

/** Returns the shape of a request, or `undefined` when the query is too long to cache. */
export function shapeOf(request: Parsable): RequestShape | undefined {
  const { method, path, search, headers } = request
  if (search.length > LONGEST_KEY || MARK_IN_TEXT.test(search)) return undefined
  const values: string[] = []
  const [, question = '', query = ''] = /^(\??)(.*)$/s.exec(search) ?? []
  const marked = query.split('&').map((parameter) => withoutValue(parameter, path, values))
  const facts = HEADERS.map((name) => headers.get(name) ?? '')
  const markedSearch = question + marked.join('&')
  const { schema, isNegotiatedByProfile } = request.chosen
  const key = [method, path, schema, isNegotiatedByProfile, ...facts, markedSearch].join('\n')
  return { key, values, markedSearch }
}

// Filter values that the grammar takes as one literal text. All other values can change the plan, so they are part of the shape.
const WHOLE_VALUE = /^((?:not\.)?(?:eq|neq|gte?|lte?)\.)([^;]*)$/s
const ARGUMENT = /^[^.(;]*$/
const NO_FILTER = /(?:^|\.)(?:order|limit|offset|and|or)$|^(?:select|columns|on_conflict)$/

function withoutValue(parameter: string, path: string, values: string[]): string {
  const equals = parameter.indexOf('=')
  if (equals < 0) return parameter
  const name = parameter.slice(0, equals)
  const value = parameter.slice(equals + 1)
  if (name.includes('%') || NO_FILTER.test(name)) return parameter
  const [, operator, operand] = WHOLE_VALUE.exec(value) ?? []
  if (operator !== undefined && operand !== undefined)
    return `${name}=${operator}${marking(operand, values)}`
  return path.startsWith('/rpc/') && ARGUMENT.test(value) && !value.includes('%')
    ? `${name}=${marking(value, values)}`
    : parameter
}

function marking(value: string, values: string[]): string {
  return encodeURIComponent(markOf(values.push(decodeText(value)) - 1))
}

// Returns the body's part of the shape, or `undefined` for a body that is not JSON text.
function bodyShapeOf(payload: Payload | undefined, columns: readonly string[]): string | undefined {
  if (payload === undefined) return ''
  if (payload.kind !== 'json' && payload.kind !== 'unreadJson') return undefined
  return [payload.kind, startOf(payload.text), ...columns].join('\n')
}

// Appends the body's text, if there is one, to the values.
function withBody(values: readonly string[], payload: Payload | undefined): readonly string[] {
  return payload !== undefined && 'text' in payload ? [...values, payload.text] : values
}

/** Replaces the body's text by a placeholder. */
export function withMarkedBody(request: ApiRequest, { values }: RequestShape): ApiRequest {
  const { payload } = request
  if (payload === undefined || !('text' in payload)) return request
  const text = startOf(payload.text) + markOf(values.length)
  return { ...request, payload: { ...payload, text } }
}

// The first character decides the statement: `{` starts one row, and `[` starts a list of rows.
function startOf(text: string): string {
  return /[^ \t\r\n]/.exec(text)?.[0] ?? ''
}
