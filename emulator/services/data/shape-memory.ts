// Caches plans and statements by request shape, so that a request of a known shape is not parsed, planned or compiled. The cached
// plan contains marks instead of values, so no value is kept after its request. A plan is cached only if filling in the values
// gives the statement that compiling the request gave.
import { keepNewest } from '../../core/keep-newest.ts'
import { bind, type Sql, type SqlParam } from '../../database/sql.ts'
import type { ActionPlan, RowsPlan } from './plan/plan.ts'
import type { Action, ApiRequest } from './request/api-request.ts'
import type { MediaType } from './request/media-type.ts'
import type { RawRequest } from './request/parse-request.ts'
import { readPayload } from './request/payload.ts'
import { encodeText } from './request/query-string.ts'
import { bodyShapeOf, markOf, type RequestShape, withBody } from './request-shape.ts'
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
  recall(shape: RequestShape, raw: RawRequest): PreparedRows | undefined
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
    recall: ({ key, values }, raw) => {
      const head = heads.get(key)
      if (head === undefined || head.templates.size === 0) return undefined
      const { action, contentType, columns } = head
      const body = readPayload(raw.body, contentType, action, columns)
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
