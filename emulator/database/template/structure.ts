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
import { scopeOf, sectionQueries } from '../catalog/records.ts'
import { RELATION_QUERIES, type RelationRecord } from '../catalog/relations.ts'
import {
  type RoutineRecord,
  type SequenceRecord,
  TYPE_QUERIES,
  type TypeRecord,
} from '../catalog/types.ts'
import { cellText, type Engine, type StatementResult } from '../engine.ts'
import { script, sql } from '../sql.ts'

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

/** The counts that publishing and provisioning report, without `auth_*` (docs/wire/platform.md#clone). */
export interface StructureCounts {
  readonly tables: number
  readonly foreignKeys: number
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

/** Reads the structure of a project's schema. @throws {SqlError} 3F000 or 42704 when schema or owner role do not exist. */
export async function loadStructure(
  engine: Engine,
  schemaName: SchemaName,
): Promise<SchemaStructure> {
  const scope = scopeOf(schemaName)
  const results = await engine.admin(
    script([
      // This search path keeps a tenant's objects from shadowing functions, and Postgres prints qualified names.
      sql`set local search_path = pg_catalog`,
      sql`set local quote_all_identifiers = off`,
      sql`select to_json(obj_description(${scope.namespace}, 'pg_namespace')) as "schemaComment"`,
      ...sectionQueries(QUERIES, scope),
    ]),
  )
  const sections = Object.fromEntries(results.flatMap(decodeSection))
  return { schemaName, ...sections } as unknown as SchemaStructure
}

// The records are not checked: each query in catalog/ must build the record type declared beside it.
function decodeSection(result: StatementResult): readonly (readonly [string, unknown])[] {
  const name = result.fields[0]?.name
  const text = cellText(result.rows[0]?.[0])
  return name === undefined || text === undefined ? [] : [[name, JSON.parse(text)]]
}
