// Reads the schema facts from which the TypeScript types of a project's tables are generated.
import type { SchemaName } from '../../core/names.ts'
import { loadSchemaCache } from '../../data/schema-cache/load.ts'
import { cellText, type Engine, type StatementResult } from '../../database/engine.ts'
import { literal, script, sql } from '../../database/sql.ts'
import { type TypeFacts, writeTypes } from './write-types.ts'

/** Generates the TypeScript types of a project's tables. */
export async function readTypes(engine: Engine, schemaName: SchemaName): Promise<string> {
  const searched = { schemas: [schemaName], extraSearchPath: ['extensions'] }
  const [cache, facts] = await Promise.all([
    loadSchemaCache(engine, searched, 0),
    readFacts(engine, schemaName),
  ])
  return writeTypes(schemaName, cache, facts)
}

async function readFacts(engine: Engine, schemaName: SchemaName): Promise<TypeFacts> {
  const namespace = sql`(select oid from pg_namespace where nspname = ${literal(schemaName)})`
  const owner = literal(`${schemaName}_owner`)
  const [labels, readOnly, platformTables] = await engine.admin(
    schemaName,
    script([
      sql`select type.typname, label.enumlabel
        from pg_type as type join pg_enum as label on label.enumtypid = type.oid
        where type.typnamespace = ${namespace}
        order by type.typname, label.enumsortorder`,
      sql`select relation.relname || '.' || attribute.attname
        from pg_class as relation join pg_attribute as attribute on attribute.attrelid = relation.oid
        where relation.relnamespace = ${namespace}
          and (attribute.attgenerated <> '' or attribute.attidentity = 'a')`,
      sql`select relname from pg_class where relnamespace = ${namespace}
        and relowner <> (select oid from pg_roles where rolname = ${owner})`,
    ]),
  )
  const enums = new Map<string, string[]>()
  for (const [type, label] of labels?.rows ?? []) {
    const name = cellText(type) ?? ''
    enums.set(name, [...(enums.get(name) ?? []), cellText(label) ?? ''])
  }
  return {
    enums,
    readOnlyColumns: namesOf(readOnly),
    platformTables: namesOf(platformTables),
  }
}

function namesOf(result: StatementResult | undefined): ReadonlySet<string> {
  return new Set((result?.rows ?? []).map(([name]) => cellText(name) ?? ''))
}
