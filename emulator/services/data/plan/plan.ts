// Data types of plans: reads, mutations and calls. The compiler in sql/ turns a plan into SQL.
import type {
  Aggregate,
  JoinKind,
  JsonStep,
  Mutation,
  Operation,
  Payload,
} from '../request/api-request.ts'
import type { MediaType } from '../request/media-type.ts'
import type { Range } from '../request/range.ts'
import type {
  Relationship,
  Routine,
  RoutineParameter,
  Table,
} from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'

/** A column with its JSON path, type and conversion. */
export interface PlannedField {
  readonly name: string
  readonly path: readonly JsonStep[]
  /** Whether to convert the column to JSON before applying its path. */
  readonly toJson: boolean
  /** The text search configuration. Set for a text search in a column that is not of type tsvector. */
  readonly textSearch: { readonly language: string | undefined } | undefined
  /** The column's declared type; empty when unknown, as for a computed column or a column of a function's result. */
  readonly type: string
  /** SQL name of the conversion function for this field, or for the value with which a filter compares the field. */
  readonly transform: string | undefined
  readonly defaultExpression: string | undefined
  /** Set when the field is the whole row, for `count`. */
  readonly isWholeRow: boolean
}

export interface PlannedSelect {
  readonly field: PlannedField
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
  readonly cast: string | undefined
  readonly alias: string | undefined
}

export interface PlannedFilter {
  readonly field: PlannedField
  readonly isNegated: boolean
  readonly operation: Operation
}

export type PlannedLogic =
  | { readonly kind: 'filter'; readonly filter: PlannedFilter }
  /** Tests whether the embed is empty. `isNegated` reverses the test. */
  | { readonly kind: 'embedIsNull'; readonly aggregateAlias: string; readonly isNegated: boolean }
  | {
      readonly kind: 'group'
      readonly isNegated: boolean
      readonly connective: 'and' | 'or'
      readonly members: readonly PlannedLogic[]
    }

export interface PlannedOrder {
  /** Alias of the embed whose column determines the order. */
  readonly relation: string | undefined
  readonly field: PlannedField
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

/** Where rows come from: a relation in a schema. A common table expression or an alias has no schema. */
export interface Source {
  readonly schema: string | undefined
  readonly name: string
}

export interface JoinCondition {
  readonly left: readonly [Source, column: string]
  readonly right: readonly [Source, column: string]
}

export interface SpreadField {
  readonly name: string
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
  readonly alias: string | undefined
}

/** How an embed's rows appear in the parent's rows. */
export type EmbedSelect =
  | {
      readonly kind: 'object' | 'array'
      readonly name: string
      readonly aggregateAlias: string
      /** The embed only joins rows: neither this level nor any level below selects a column. */
      readonly isEmpty: boolean
    }
  | {
      readonly kind: 'spread'
      readonly aggregateAlias: string
      readonly fields: readonly SpreadField[]
    }

export type Spread =
  | { readonly kind: 'toOne' }
  | {
      readonly kind: 'toMany'
      /** Columns selected only to order the aggregated rows. */
      readonly extraSelect: readonly {
        readonly relation: string | undefined
        readonly select: PlannedSelect
      }[]
      readonly order: readonly PlannedOrder[]
    }

/** One level of a read. */
export interface ReadPlan {
  readonly depth: number
  /** Name of the relation or embed as in the request. */
  readonly name: string
  readonly alias: string | undefined
  readonly source: Source
  readonly sourceAlias: string | undefined
  readonly select: readonly PlannedSelect[]
  readonly where: readonly PlannedLogic[]
  readonly order: readonly PlannedOrder[]
  readonly range: Range
  readonly relationship: Relationship | undefined
  /** Alias of the parent's relation, if it has one. A computed relationship passes the parent's row to its function. */
  readonly parentAlias: string | undefined
  readonly joinConditions: readonly JoinCondition[]
  readonly join: JoinKind | undefined
  /** Name of the joined subquery, unique among its siblings. */
  readonly aggregateAlias: string
  readonly spread: Spread | undefined
  readonly embeds: readonly EmbedSelect[]
  readonly children: readonly ReadPlan[]
}

export type MutatePlan =
  | {
      readonly kind: 'insert'
      readonly target: QualifiedName
      readonly columns: readonly PlannedField[]
      readonly body: string
      readonly conflict:
        | {
            readonly resolution: 'merge-duplicates' | 'ignore-duplicates'
            readonly columns: readonly string[]
          }
        | undefined
      /** Conditions that the row in the body of a PUT must satisfy. */
      readonly conditions: readonly PlannedLogic[]
      readonly returning: readonly string[]
      readonly keyColumns: readonly string[]
      readonly appliesDefaults: boolean
    }
  | {
      readonly kind: 'update'
      readonly target: QualifiedName
      readonly columns: readonly PlannedField[]
      readonly body: string
      readonly where: readonly PlannedLogic[]
      readonly returning: readonly string[]
      readonly appliesDefaults: boolean
    }
  | {
      readonly kind: 'delete'
      readonly target: QualifiedName
      readonly where: readonly PlannedLogic[]
      readonly returning: readonly string[]
    }

export type ArgumentValue =
  | { readonly kind: 'one'; readonly value: string }
  | { readonly kind: 'variadic'; readonly values: readonly string[] }

export type CallArguments =
  | { readonly kind: 'direct'; readonly values: ReadonlyMap<string, ArgumentValue> }
  | { readonly kind: 'body'; readonly payload: Payload | undefined }

export interface CallPlan {
  readonly routine: QualifiedName
  readonly parameters:
    | { readonly kind: 'named'; readonly list: readonly RoutineParameter[] }
    | { readonly kind: 'unnamed'; readonly parameter: RoutineParameter }
  readonly arguments: CallArguments
  readonly returnsScalar: boolean
  readonly filterColumns: readonly string[]
  readonly returning: readonly string[]
}

/** How Postgres builds the body from the rows. */
export type BodyHandler =
  | { readonly kind: 'json'; readonly isStripped: boolean }
  | { readonly kind: 'singleJson'; readonly isStripped: boolean }
  | { readonly kind: 'csv' }
  /** Without PostGIS no column is a geometry, so only an empty result can be GeoJSON. */
  | { readonly kind: 'geojson'; readonly hasGeometry: boolean }
  | {
      readonly kind: 'custom'
      readonly routine: QualifiedName
      readonly target: QualifiedName | undefined
    }
  | { readonly kind: 'none' }

interface Planned {
  readonly read: ReadPlan
  readonly handler: BodyHandler
  readonly media: MediaType
  readonly mode: 'readOnly' | 'readWrite'
}

export type ActionPlan =
  | (Planned & {
      readonly kind: 'read'
      readonly relation: QualifiedName
      readonly isHead: boolean
    })
  | (Planned & {
      readonly kind: 'mutate'
      readonly relation: QualifiedName
      readonly mutation: Mutation
      readonly mutate: MutatePlan
    })
  | (Planned & {
      readonly kind: 'call'
      readonly routine: Routine
      readonly call: CallPlan
      readonly isHead: boolean
    })
  | { readonly kind: 'describeSchema'; readonly isHead: boolean }
  | { readonly kind: 'relationInfo'; readonly table: Table }
  | { readonly kind: 'routineInfo'; readonly routine: Routine }
  | { readonly kind: 'schemaInfo' }

/** Plans whose statement returns rows for the body. */
export type RowsPlan = Extract<ActionPlan, { kind: 'read' | 'mutate' | 'call' }>

/** Name of the common table expression that holds the rows of a mutation or a call. */
export const SOURCE_NAME = 'pgrst_source'
