// Implements projects as schemas of one database, for the embedded engine.
import { ownerRoleOf, type SchemaName, trusted } from '../../core/names.ts'
import { cellText, type Engine, type StatementResult } from '../engine.ts'
import type { EngineProjects, RunPart } from '../engine-projects.ts'
import { identifier, literal, type Sql, script, sql } from '../sql.ts'
import {
  createProjectScript,
  dropProjectScript,
  releaseSchema,
  renameProjectScript,
} from './install.ts'

// Each part is a transaction of about 2 ms (measured: 0.75 ms for each new table, index or sequence).
const STATEMENTS_PER_PART = 2
const QUIET = sql`set local client_min_messages = warning`

export function projectsAsSchemas(engine: Pick<Engine, 'admin'>): EngineProjects {
  const run = (schemaName: SchemaName, statements: readonly Sql[]) =>
    engine.admin(schemaName, script(statements))
  return {
    create: async (schemaName, also = [], runPart) => {
      const statements = createProjectScript(schemaName)
      if (runPart === undefined) await run(schemaName, [...statements, ...also])
      else for (const part of partsOf(statements)) await runPart(() => run(schemaName, part))
    },
    rename: async (source, target, also = []) => {
      await run(source, [...renameProjectScript(source, target), ...also])
    },
    drop: async (schemaName, runPart) => {
      if (runPart === undefined) await run(schemaName, dropProjectScript(schemaName))
      else await dropInParts(run, schemaName, runPart)
    },
    list: async (prefix) => {
      const [found] = await engine.admin('cluster', script([listQuery(prefix)]))
      return namesOf(found).map((name) => trusted.schemaName(name))
    },
    together: (schemaNames) => (schemaNames.length === 0 ? [] : [schemaNames]),
  }
}

async function dropInParts(
  run: (schemaName: SchemaName, statements: readonly Sql[]) => Promise<readonly StatementResult[]>,
  schemaName: SchemaName,
  runPart: RunPart,
): Promise<void> {
  const [, tables] = await runPart(() =>
    run(schemaName, [
      releaseSchema(schemaName),
      sql`select relname from pg_catalog.pg_class
where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)}) and relkind = 'r'`,
    ]),
  )
  const drops = namesOf(tables).map(
    (table) => sql`drop table if exists ${identifier(schemaName, table)} cascade`,
  )
  for (const part of partsOf(drops)) await runPart(() => run(schemaName, [QUIET, ...part]))
  await runPart(() => run(schemaName, dropProjectScript(schemaName)))
}

// A killed process can leave a role without its schema.
function listQuery(prefix: string): Sql {
  const suffix = ownerRoleOf(trusted.schemaName(''))
  return sql`select nspname::text as name from pg_catalog.pg_namespace
where pg_catalog.starts_with(nspname, ${literal(prefix)})
union
select pg_catalog.left(rolname::text, ${literal(String(-suffix.length))}::integer) from pg_catalog.pg_roles
where pg_catalog.starts_with(rolname, ${literal(prefix)})
  and pg_catalog.right(rolname::text, ${literal(String(suffix.length))}::integer) = ${literal(suffix)}
order by name`
}

function namesOf(result: StatementResult | undefined): readonly string[] {
  return (result?.rows ?? []).map(([name]) => cellText(name) ?? '')
}

function partsOf(statements: readonly Sql[]): readonly (readonly Sql[])[] {
  const count = Math.ceil(statements.length / STATEMENTS_PER_PART)
  return Array.from({ length: count }, (_, index) =>
    statements.slice(index * STATEMENTS_PER_PART, (index + 1) * STATEMENTS_PER_PART),
  )
}
