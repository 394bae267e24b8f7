// A schema's structure as plain records, for cloning and comparing, read from the catalogue in one round trip. A structure has no rows and none of the platform's objects
// (`auth_*`). Every list is sorted by key, so that equal structures have equal JSON.
import type { SchemaName } from '../../core/names.ts'
import {
  ATTACHED_QUERIES,
  type ConstraintRecord,
  type FiringRecord,
  type IndexRecord,
  type PolicyRecord,
  type StatisticsRecord,
} from '../catalog/attached.ts'
import { COMMENT_QUERIES, type CommentRecord } from '../catalog/comments.ts'
import { DEPENDENCY_QUERIES, type DependencyRecord } from '../catalog/dependencies.ts'
import {
  type CastRecord,
  type CollationRecord,
  type ConfigurationRecord,
  type ConversionRecord,
  type DictionaryRecord,
  EXPRESSION_QUERIES,
  type OperatorRecord,
} from '../catalog/expressions.ts'
import { type DefaultPrivilegesRecord, GRANT_QUERIES, type GrantRecord } from '../catalog/grants.ts'
import { HIDDEN_QUERIES, type HiddenRecord } from '../catalog/hidden.ts'
import { type Scope, scopeOf, sectionQuery } from '../catalog/records.ts'
import { RELATION_QUERIES, type RelationRecord } from '../catalog/relations.ts'
import {
  type RoutineRecord,
  type SequenceRecord,
  TYPE_QUERIES,
  type TypeRecord,
} from '../catalog/types.ts'
import { cellText, type Engine } from '../engine.ts'
import type { StructureCounts } from '../schema-builder.ts'
import { identifier, join, readScript, type Sql, sql } from '../sql.ts'

export interface SchemaStructure {
  readonly schemaName: SchemaName
  readonly schemaComment?: string
  readonly collations: readonly CollationRecord[]
  readonly conversions: readonly ConversionRecord[]
  readonly dictionaries: readonly DictionaryRecord[]
  readonly configurations: readonly ConfigurationRecord[]
  readonly types: readonly TypeRecord[]
  readonly sequences: readonly SequenceRecord[]
  readonly routines: readonly RoutineRecord[]
  readonly operators: readonly OperatorRecord[]
  readonly casts: readonly CastRecord[]
  readonly relations: readonly RelationRecord[]
  readonly constraints: readonly ConstraintRecord[]
  readonly indexes: readonly IndexRecord[]
  readonly statistics: readonly StatisticsRecord[]
  readonly triggers: readonly FiringRecord[]
  readonly rules: readonly FiringRecord[]
  readonly policies: readonly PolicyRecord[]
  readonly grants: readonly GrantRecord[]
  readonly defaultPrivileges: readonly DefaultPrivilegesRecord[]
  readonly comments: readonly CommentRecord[]
  readonly dependencies: readonly DependencyRecord[]
  readonly hidden: readonly HiddenRecord[]
}

/** Counts the tables, partitions included, and the foreign keys. */
export function countsOf(structure: SchemaStructure): StructureCounts {
  const tables = structure.relations.filter(
    ({ kind }) => kind === 'table' || kind === 'partitioned',
  )
  const foreignKeys = structure.constraints.filter(({ kind }) => kind === 'foreign')
  return { tables: tables.length, foreignKeys: foreignKeys.length }
}

const QUERIES = {
  ...EXPRESSION_QUERIES,
  ...TYPE_QUERIES,
  ...RELATION_QUERIES,
  ...ATTACHED_QUERIES,
  ...GRANT_QUERIES,
  ...COMMENT_QUERIES,
  ...DEPENDENCY_QUERIES,
  ...HIDDEN_QUERIES,
}

/**
 * Settings that the queries need: this search path keeps a tenant's objects from shadowing functions, and Postgres prints
 * qualified names.
 */
const SETTINGS: Sql = sql`select set_config('search_path', 'pg_catalog', true), set_config('quote_all_identifiers', 'off', true)`

/**
 * Returns two SELECTs that read a structure. The second returns one row with one column per section. The role that runs them
 * may be the platform's, or the project's owner through db/exec.
 */
export function structureQueries(
  scope: Scope,
  sections: readonly string[] = Object.keys(QUERIES),
): readonly [Sql, Sql] {
  const comment = sql`select to_json(obj_description(${scope.namespace}, 'pg_namespace'))`
  const columns = [
    sql`(${comment}) as "schemaComment"`,
    ...Object.entries(QUERIES)
      .filter(([section]) => sections.includes(section))
      .map(([section, query]) => sql`(${sectionQuery(query(scope))}) as ${identifier(section)}`),
  ]
  return [SETTINGS, sql`select ${join(columns)}`]
}

/** Reads the structure of a project's schema. @throws {SqlError} 3F000 or 42704 when schema or owner role do not exist. */
export async function loadStructure(
  engine: Engine,
  schemaName: SchemaName,
): Promise<SchemaStructure> {
  return structureOf(schemaName, await loadSections(engine, schemaName, Object.keys(QUERIES)))
}

/** The sections that take longest: about 5 ms for 20 tables in each group. All other sections form one more group. */
const LONG_SECTIONS = [
  ['relations'],
  ['indexes'],
  ['constraints', 'policies'],
  ['grants'],
  ['comments'],
  ['types', 'sequences', 'triggers'],
  ['dependencies'],
]

/** Sections that only creating objects needs, not comparing them. */
const FOR_CREATION = ['dependencies', 'hidden']

interface PartsOptions {
  /** Leaves the sections empty that a comparison does not need. */
  readonly forComparison?: boolean
  /** Leaves all other sections empty. Default: all. */
  readonly only?: readonly Exclude<keyof SchemaStructure, 'schemaName' | 'schemaComment'>[]
}

/**
 * Like `loadStructure`, in several short jobs, between which other requests run. The caller makes sure that the schema does not
 * change meanwhile. @throws {SqlError}
 */
export async function loadStructureInParts(
  engine: Engine,
  schemaName: SchemaName,
  { forComparison = false, only }: PartsOptions = {},
): Promise<SchemaStructure> {
  const long = LONG_SECTIONS.flat()
  const all = Object.keys(QUERIES)
  const groups = [all.filter((name) => !long.includes(name)), ...LONG_SECTIONS]
  const wanted: readonly string[] = only ?? all
  const leftOut = all.filter(
    (name) => !wanted.includes(name) || (forComparison && FOR_CREATION.includes(name)),
  )
  const cells: Record<string, unknown> = Object.fromEntries(leftOut.map((name) => [name, []]))
  for (const group of groups) {
    const sections = group.filter((name) => !leftOut.includes(name))
    if (sections.length > 0) Object.assign(cells, await loadSections(engine, schemaName, sections))
  }
  return structureOf(schemaName, cells)
}

async function loadSections(
  engine: Engine,
  schemaName: SchemaName,
  sections: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const results = await engine.admin(
    schemaName,
    readScript(structureQueries(scopeOf(schemaName), sections)),
  )
  const { fields = [], rows = [] } = results.at(-1) ?? {}
  const cells = fields.map(({ name }, index) => {
    const text = cellText(rows[0]?.[index])
    return [name, text === undefined ? null : JSON.parse(text)] as const
  })
  return Object.fromEntries(cells)
}

/** Converts the row of `structureQueries`. */
export function structureOf(
  schemaName: SchemaName,
  row: Readonly<Record<string, unknown>>,
): SchemaStructure {
  // The records are not checked: each query in catalog/ must build the record type declared beside it.
  const sections = Object.entries(row).filter(([, value]) => value !== null)
  return { schemaName, ...Object.fromEntries(sections) } as unknown as SchemaStructure
}
