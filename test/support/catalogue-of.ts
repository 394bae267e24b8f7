// Returns everything that Postgres stores about a project as lines: catalogues, rows and the state of sequences. Two clones of
// one template have the same lines after their names are made equal.
import { readFileSync } from 'node:fs'
import type { SchemaName } from '../../emulator/core/names.ts'
import { type Engine, textRows } from '../../emulator/database/engine.ts'
import { identifier, literal, script, verbatim } from '../../emulator/database/sql.ts'
import { lastCell, runAsOwner } from './test-engine.ts'

const QUERY = readFileSync(new URL('./catalogue-of.sql', import.meta.url), 'utf8').replace(
  /^--.*\n/,
  '',
)

export async function catalogueOf(engine: Engine, schemaName: SchemaName): Promise<string[]> {
  const query = verbatim(QUERY.replaceAll(':schema', literal(schemaName).text))
  const results = await engine.admin(
    'cluster',
    script([verbatim('set local search_path = pg_catalog'), query]),
  )
  const lines = textRows(results.at(-1)).map(({ kind, line }) => `${kind}: ${line}`)
  const all = [...lines, ...(await contentOf(engine, schemaName))]
  return all.map((line) => line.replaceAll(schemaName, 'proj_same'))
}

async function contentOf(engine: Engine, schemaName: SchemaName): Promise<string[]> {
  const [found] = await engine.admin(
    'cluster',
    script([
      verbatim(`select relname, relkind from pg_class where relnamespace = ${literal(schemaName).text}::regnamespace
        and relkind in ('r', 'm', 'S') and relispopulated and relowner <> 10 order by relname`),
    ]),
  )
  const lines: string[] = []
  for (const { relname = '', relkind } of textRows(found)) {
    const name = identifier(schemaName, relname).text
    const query =
      relkind === 'S'
        ? `select last_value || ' ' || is_called from ${name}`
        : `select count(*) || ' ' || coalesce(string_agg(content::text, ';'), '') from ${name} as content`
    lines.push(`content: ${relname} ${lastCell(await runAsOwner(engine, schemaName, query))}`)
  }
  return lines
}
