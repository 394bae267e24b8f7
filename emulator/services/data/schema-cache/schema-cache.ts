// A schema's relations and functions as plain records. The planner reads these records (PostgREST, "Schema Cache").
import type { QualifiedName } from '../settings.ts'

export interface Column {
  readonly name: string
  readonly comment: string | undefined
  readonly isNullable: boolean
  /**
   * The column's type, or the base type of a domain if this base type is built in. A built-in type has no modifiers here, such
   * as a length.
   */
  readonly baseType: string
  /** The declared type, including its domain and its modifiers. */
  readonly type: string
  readonly maxLength: number | undefined
  /** The default as an SQL expression. */
  readonly defaultExpression: string | undefined
  readonly enumValues: readonly string[]
}

export interface Table extends QualifiedName {
  readonly comment: string | undefined
  readonly isView: boolean
  readonly isInsertable: boolean
  readonly isUpdatable: boolean
  readonly isDeletable: boolean
  /** Names of the primary key columns. A view has the key columns of its base tables. */
  readonly keyColumns: readonly string[]
  readonly columns: ReadonlyMap<string, Column>
}

/** Pairs of a column and the foreign column that it refers to. */
export type ColumnPairs = readonly (readonly [own: string, foreign: string])[]

export interface Junction {
  readonly table: QualifiedName
  readonly sourceConstraint: string
  readonly targetConstraint: string
  /** Pairs of a column of the source and the junction column that refers to it. */
  readonly sourceColumns: ColumnPairs
  /** Pairs of a column of the target and the junction column that refers to it. */
  readonly targetColumns: ColumnPairs
}

export type Cardinality =
  | { readonly kind: 'oneToMany'; readonly constraint: string; readonly columns: ColumnPairs }
  | { readonly kind: 'manyToOne'; readonly constraint: string; readonly columns: ColumnPairs }
  | {
      readonly kind: 'oneToOne'
      readonly constraint: string
      readonly columns: ColumnPairs
      /** Whether the foreign table holds the foreign key. */
      readonly isParent: boolean
    }
  | { readonly kind: 'manyToMany'; readonly junction: Junction }

export type Relationship =
  | {
      readonly kind: 'foreignKey'
      readonly table: QualifiedName
      readonly foreignTable: QualifiedName
      readonly isSelf: boolean
      readonly cardinality: Cardinality
      readonly isView: boolean
      readonly isForeignView: boolean
    }
  | {
      /** A function that takes a row of `table` and returns rows of `foreignTable`. */
      readonly kind: 'computed'
      readonly routine: QualifiedName
      readonly table: QualifiedName
      readonly foreignTable: QualifiedName
      readonly isSelf: boolean
      readonly isToOne: boolean
    }

export interface RoutineParameter {
  /** The parameter's name; empty if the parameter has no name. */
  readonly name: string
  readonly type: string
  /** The type without its length, used to cast values of a JSON body. */
  readonly looseType: string
  readonly isRequired: boolean
  readonly isVariadic: boolean
}

export interface ReturnType {
  readonly isSet: boolean
  readonly kind: 'scalar' | 'composite'
  readonly type: QualifiedName
  readonly isDomain: boolean
}

export interface Routine extends QualifiedName {
  readonly oid: string
  readonly comment: string | undefined
  readonly parameters: readonly RoutineParameter[]
  readonly returns: ReturnType
  readonly volatility: 'volatile' | 'stable' | 'immutable'
  readonly hasVariadic: boolean
  readonly settings: readonly (readonly [name: string, value: string])[]
}

/** A function or aggregate that turns rows into a media type (PostgREST, "Media Type Handlers"). */
export interface CustomMediaHandler {
  readonly routine: QualifiedName
  /** The relation whose rows the handler takes; `undefined` if it takes rows of any relation. */
  readonly target: QualifiedName | undefined
  /** The media type that the handler produces. Two asterisks around a slash mean any type. */
  readonly mediaType: string
}

export interface SchemaCache {
  /** Increases with every load. */
  readonly version: number
  readonly tables: ReadonlyMap<string, Table>
  /** Relationships by the key of their source table. */
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>
  readonly routines: ReadonlyMap<string, readonly Routine[]>
  /** Names of conversion functions by `representationKey` (PostgREST, "Domain Representations"). */
  readonly representations: ReadonlyMap<string, string>
  readonly mediaHandlers: readonly CustomMediaHandler[]
  /** Whether Postgres can convert rows to GeoJSON (PostGIS). */
  readonly hasGeoJson?: boolean
}

/** Joins schema and name with a NUL character, which no Postgres name can contain. */
export function keyOf(name: QualifiedName): string {
  return `${name.schema}\0${name.name}`
}

export function representationKey(sourceType: string, targetType: string): string {
  return `${sourceType}\0${targetType}`
}

export function isSameName(first: QualifiedName, second: QualifiedName): boolean {
  return first.schema === second.schema && first.name === second.name
}

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === 'computed') return relationship.isToOne
  const { kind } = relationship.cardinality
  return kind === 'manyToOne' || kind === 'oneToOne'
}
