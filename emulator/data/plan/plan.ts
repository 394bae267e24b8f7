// What to ask of Postgres, as plain data: a closed union of read, mutate and call. Total functions derive SQL from it (sql/).
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

/** A column or value with its type and conversion. */
export interface PlannedField {
  readonly name: string
  readonly path: readonly JsonStep[]
  /** Whether the column must be converted to JSON before its path is applied. */
  readonly toJson: boolean
  /** Set for a text search in a column that is not a tsvector. */
  readonly textSearch: { readonly language: string | undefined } | undefined
  /** Declared type; empty when unknown (a computed column, a function's result). */
  readonly type: string
  /** SQL name of the function that converts the field or the value compared with it. */
  readonly transform: string | undefined
  readonly defaultExpression: string | undefined
  /** The whole row, for counting. */
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
  /** Whether an embed has no rows (`isNegated`: has rows). */
  | { readonly kind: 'embedIsNull'; readonly aggregateAlias: string; readonly isNegated: boolean }
  | {
      readonly kind: 'group'
      readonly isNegated: boolean
      readonly connective: 'and' | 'or'
      readonly members: readonly PlannedLogic[]
    }

export interface PlannedOrder {
  /** The embed's alias for an order by a related column. */
  readonly relation: string | undefined
  readonly field: PlannedField
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

/** The source of rows: a name in a schema, or without one for a common table or an alias. */
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

/** How a child's rows appear in its parent's. */
export type EmbedSelect =
  | {
      readonly kind: 'object' | 'array'
      readonly name: string
      readonly aggregateAlias: string
      /** Selects nothing on this level and below: it joins but does not appear. */
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
      /** Columns that are selected only to order the aggregated rows. */
      readonly extraSelect: readonly {
        readonly relation: string | undefined
        readonly select: PlannedSelect
      }[]
      readonly order: readonly PlannedOrder[]
    }

/** One level of a read. */
export interface ReadPlan {
  readonly depth: number
  /** Name and alias in the request. */
  readonly name: string
  readonly alias: string | undefined
  readonly source: Source
  readonly sourceAlias: string | undefined
  readonly select: readonly PlannedSelect[]
  readonly where: readonly PlannedLogic[]
  readonly order: readonly PlannedOrder[]
  readonly range: Range
  readonly relationship: Relationship | undefined
  /** Alias of the parent's row, for a computed relationship. */
  readonly parentAlias: string | undefined
  readonly joinConditions: readonly JoinCondition[]
  readonly join: JoinKind | undefined
  /** The name of the joined subquery, unique among the parent's. */
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
      /** Conditions that the body must satisfy (PUT). */
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

/** How rows become the body. */
export type BodyHandler =
  | { readonly kind: 'json'; readonly isStripped: boolean }
  | { readonly kind: 'singleJson'; readonly isStripped: boolean }
  | { readonly kind: 'csv' }
  /** Without PostGIS no row has a geometry, and only an empty result is possible. */
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

/** Plans that run a statement whose rows become the body. */
export type RowsPlan = Extract<ActionPlan, { kind: 'read' | 'mutate' | 'call' }>

/** The common table a mutation's or call's rows are read back from. */
export const SOURCE_NAME = 'pgrst_source'
