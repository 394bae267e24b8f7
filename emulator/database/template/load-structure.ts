// Reads a schema's structure from the catalogue, in one round trip of platform work.
import type { SchemaName } from '../../core/names.ts'
import { collationsQuery, conversionsQuery } from '../catalog/collations.ts'
import { commentsQuery, schemaCommentQuery } from '../catalog/comments.ts'
import { constraintsQuery } from '../catalog/constraints.ts'
import { dependenciesQuery } from '../catalog/dependencies.ts'
import { defaultPrivilegesQuery, grantsQuery } from '../catalog/grants.ts'
import { indexesQuery, statisticsQuery } from '../catalog/indexes.ts'
import { castsQuery, operatorsQuery } from '../catalog/operators.ts'
import { policiesQuery } from '../catalog/policies.ts'
import { relationsQuery } from '../catalog/relations.ts'
import { routinesQuery } from '../catalog/routines.ts'
import { sequencesQuery } from '../catalog/sequences.ts'
import { configurationsQuery, dictionariesQuery } from '../catalog/text-search.ts'
import { rulesQuery, triggersQuery } from '../catalog/triggers.ts'
import { typesQuery } from '../catalog/types.ts'
import { cellText, type Engine, type StatementResult } from '../engine.ts'
import { type Sql, script, sql } from '../sql.ts'
import type { SchemaStructure } from './structure.ts'

const SECTIONS: readonly ((schemaName: SchemaName) => Sql)[] = [
  schemaCommentQuery,
  collationsQuery,
  conversionsQuery,
  dictionariesQuery,
  configurationsQuery,
  typesQuery,
  sequencesQuery,
  routinesQuery,
  operatorsQuery,
  castsQuery,
  relationsQuery,
  constraintsQuery,
  indexesQuery,
  statisticsQuery,
  triggersQuery,
  rulesQuery,
  policiesQuery,
  grantsQuery,
  defaultPrivilegesQuery,
  commentsQuery,
  dependenciesQuery,
]

/** Reads the structure of a project's schema. @throws {SqlError} 3F000 or 42704 when schema or owner role do not exist. */
export async function loadStructure(
  engine: Engine,
  schemaName: SchemaName,
): Promise<SchemaStructure> {
  const results = await engine.admin(
    script([
      // This search path keeps a tenant's objects from shadowing functions, and Postgres prints qualified names.
      sql`set local search_path = pg_catalog`,
      sql`set local quote_all_identifiers = off`,
      ...SECTIONS.map((section) => section(schemaName)),
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
