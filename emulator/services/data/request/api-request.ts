// A request of the data plane before and after parsing. The parsed form has the terms of PostgREST's query grammar (PostgREST,
// "API"). The planner decides later whether the request is possible.
import type { HeaderReader } from '../../../core/headers.ts'
import type { RequestFacts } from '../../../core/observation.ts'
import type { Principal } from '../../../core/principal.ts'
import type { StopSignal } from '../../../core/stop-signal.ts'
import type { DataSettings } from '../settings.ts'
import type { MediaType } from './media-type.ts'
import type { Preferences } from './preferences.ts'
import type { Range } from './range.ts'

/** An admitted request: what the caller sent, and who the caller is. */
export interface DataRequest {
  readonly method: string
  /** Percent-encoded, as sent. */
  readonly path: string
  /** Query string with or without its `?`. */
  readonly search: string
  readonly headers: HeaderReader
  readonly body: Uint8Array
  readonly caller: Principal
  /** A missing privilege gives an anonymous request 401 instead of 403. */
  readonly isAnonymous: boolean
  /** All requests of a project must pass the same object, because the shape memory uses this object as its key. */
  readonly settings: DataSettings
  readonly chosen: ChosenSchema
  readonly signal: StopSignal | undefined
  readonly facts: RequestFacts
  /** Id that the database records with each row change of the request. */
  readonly requestId?: string | undefined
  /** Called after each stage, for `Server-Timing`. */
  readonly onStage?: ((stage: Stage) => void) | undefined
}

export interface ChosenSchema {
  readonly schema: string
  readonly isNegotiatedByProfile: boolean
}

export type Stage = 'parse' | 'plan' | 'transaction' | 'response'

/** The parts of a request that decide how it is parsed. */
export type Parsable = Pick<
  DataRequest,
  'method' | 'path' | 'search' | 'headers' | 'body' | 'settings' | 'chosen'
>

export type JsonOperand =
  | { readonly kind: 'key'; readonly key: string }
  /** `index` keeps its sign: `+1`, `-1`. */
  | { readonly kind: 'index'; readonly index: string }

export interface JsonStep {
  /** `->` returns JSON, `->>` returns text. */
  readonly arrow: '->' | '->>'
  readonly operand: JsonOperand
}

export interface Field {
  /** A column, a computed column, or `*`. */
  readonly name: string
  readonly path: readonly JsonStep[]
}

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min'
export type JoinKind = 'left' | 'inner'

export type SelectItem =
  | {
      readonly kind: 'field'
      readonly field: Field
      readonly aggregate: Aggregate | undefined
      readonly aggregateCast: string | undefined
      readonly cast: string | undefined
      readonly alias: string | undefined
    }
  | {
      readonly kind: 'embed'
      readonly relation: string
      readonly alias: string | undefined
      readonly hint: string | undefined
      readonly join: JoinKind | undefined
      readonly isSpread: boolean
      readonly select: readonly SelectItem[]
    }

// The parser tries operators in this order, so longer words come before their prefixes.
export const SIMPLE_OPERATORS = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const
export type SimpleOperator = (typeof SIMPLE_OPERATORS)[number]

export const QUANTIFIABLE_OPERATORS = [
  'eq',
  'gte',
  'gt',
  'lte',
  'lt',
  'like',
  'ilike',
  'match',
  'imatch',
] as const
export type QuantifiableOperator = (typeof QUANTIFIABLE_OPERATORS)[number]

export const TEXT_SEARCH_OPERATORS = ['fts', 'plfts', 'phfts', 'wfts'] as const
export type TextSearchOperator = (typeof TEXT_SEARCH_OPERATORS)[number]

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

export type Operation =
  | { readonly kind: 'simple'; readonly operator: SimpleOperator; readonly value: string }
  | {
      readonly kind: 'quantifiable'
      readonly operator: QuantifiableOperator
      readonly quantifier: 'any' | 'all' | undefined
      readonly value: string
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: IsValue }
  | { readonly kind: 'isDistinct'; readonly value: string }
  | {
      readonly kind: 'textSearch'
      readonly operator: TextSearchOperator
      readonly language: string | undefined
      readonly value: string
    }

export interface Filter {
  readonly field: Field
  readonly isNegated: boolean
  readonly operation: Operation
}

export type LogicTree =
  | { readonly kind: 'filter'; readonly filter: Filter }
  | {
      readonly kind: 'group'
      readonly isNegated: boolean
      readonly connective: 'and' | 'or'
      readonly members: readonly LogicTree[]
    }

export interface OrderTerm {
  /** Name of the embedded to-one relation whose column determines the order. */
  readonly relation: string | undefined
  readonly field: Field
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

/** A value that belongs to the embed at `path`. The root's path is empty. */
export interface At<T> {
  readonly path: readonly string[]
  readonly value: T
}

export interface QueryParameters {
  readonly select: readonly SelectItem[]
  readonly filters: readonly At<Filter>[]
  /** Names of all filter parameters as sent. A PUT must filter by exactly the primary key. */
  readonly filterNames: readonly string[]
  readonly logic: readonly At<LogicTree>[]
  readonly order: readonly At<readonly OrderTerm[]>[]
  /** Bounds of embeds. */
  readonly ranges: readonly At<Range>[]
  readonly columns: readonly string[] | undefined
  readonly onConflict: readonly string[] | undefined
  /** Arguments of a function called by GET: parameters whose values have no operator. */
  readonly arguments: readonly (readonly [string, string])[]
  /** All parameters, sorted by name and percent-encoded, for `Content-Location`. */
  readonly canonical: string
}

export type Payload =
  /** JSON text whose keys were parsed. */
  | { readonly kind: 'json'; readonly text: string; readonly keys: readonly string[] }
  /** JSON text that was not parsed, because the `columns` parameter names the keys. */
  | { readonly kind: 'unreadJson'; readonly text: string }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [string, string])[] }
  /** The whole body, for a function with a single unnamed parameter. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }

export type Mutation = 'insert' | 'update' | 'delete' | 'singleUpsert'

export type Action =
  | { readonly kind: 'read'; readonly relation: string; readonly isHead: boolean }
  | { readonly kind: 'mutate'; readonly relation: string; readonly mutation: Mutation }
  | { readonly kind: 'call'; readonly routine: string; readonly method: 'GET' | 'HEAD' | 'POST' }
  | { readonly kind: 'describeSchema'; readonly isHead: boolean }
  | { readonly kind: 'relationInfo'; readonly relation: string }
  | { readonly kind: 'routineInfo'; readonly routine: string }
  | { readonly kind: 'schemaInfo' }

export interface ApiRequest {
  readonly action: Action
  readonly method: string
  readonly path: string
  readonly schema: string
  /** Whether the response must name its schema: several schemas are exposed, or the request named one. */
  readonly isNegotiatedByProfile: boolean
  readonly query: QueryParameters
  /** Bounds of the root, combined from `limit`, `offset` and the `Range` header. */
  readonly range: Range
  readonly payload: Payload | undefined
  /** Columns to write, sorted: the `columns` parameter, or else the payload's keys. */
  readonly columns: readonly string[]
  readonly preferences: Preferences
  readonly accepts: readonly MediaType[]
  readonly contentType: MediaType
}
