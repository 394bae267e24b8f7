// Reads the schema facts from which the TypeScript types of a project's tables are generated.
import type { SchemaName } from '../../../core/names.ts'
import type { Engine } from '../../../database/engine.ts'
import { loadSchemaCache } from '../../../services/data/schema-cache/load.ts'
import { readTypeFacts } from './type-facts.ts'
import { writeTypes } from './write-types.ts'

/** Generates the TypeScript types of a project's tables. */
export async function readTypes(engine: Engine, schemaName: SchemaName): Promise<string> {
  const searched = { schemas: [schemaName], extraSearchPath: ['extensions'] }
  const [cache, facts] = await Promise.all([
    loadSchemaCache(engine, searched, 0),
    readTypeFacts(engine, schemaName),
  ])
  return writeTypes(schemaName, cache, facts)
}
