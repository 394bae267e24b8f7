// Builds a project from the lines of its file in a bundle. The lines are untrusted, so their statements run like those of a
// fixture: as the project's owner, behind the fence. Rows of the platform's tables are written with the platform's own
// statements.
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import type { Engine, TenantWork } from '../../../database/engine.ts'
import { PLAIN_FORMATS } from '../../../database/row-reader.ts'
import {
  identifier,
  join,
  literal,
  type Sql,
  script,
  sql,
  tenantScript,
  verbatim,
} from '../../../database/sql.ts'
import { cloneSettings } from '../../../database/template/clone-schema.ts'
import {
  AUTH_SEQUENCE,
  AUTH_TABLE_COLUMNS,
} from '../../../database/tenant-schema/auth-table-columns.ts'
import type { ProjectLine, RowsLine, SequenceLine, StructureLine } from './project-lines.ts'

const TIMEOUT_MILLIS = 30_000

/** The error for a project's file that does not follow the format. */
export class ProjectLineError extends Error {}

/** @throws {SqlError | ProjectLineError} */
export async function loadProject(
  engine: Engine,
  schemaName: SchemaName,
  lines: AsyncIterable<ProjectLine>,
): Promise<void> {
  let structure: StructureLine | undefined
  const positions: SequenceLine[] = []
  for await (const line of lines) {
    if (line.line === 'structure') {
      if (structure !== undefined) throw new ProjectLineError('it describes its structure twice')
      structure = line
      await createProject(engine, schemaName, structure)
    } else if (structure === undefined)
      throw new ProjectLineError('it does not begin with its structure')
    else if (line.line === 'sequence') positions.push(line)
    else await insertRows(engine, schemaName, line)
  }
  if (structure === undefined) throw new ProjectLineError('it is empty')
  await completeProject(engine, schemaName, structure, positions)
}

async function createProject(
  engine: Engine,
  schemaName: SchemaName,
  { before_rows: statements, comment }: StructureLine,
): Promise<void> {
  const note =
    comment === null
      ? []
      : [sql`comment on schema ${identifier(schemaName)} is ${literal(comment)}`]
  await engine.projects.create(schemaName, note)
  await engine.run(ownerWork(schemaName, statements.map(verbatim)))
}

async function completeProject(
  engine: Engine,
  schemaName: SchemaName,
  { after_rows: afterRows, refresh }: StructureLine,
  positions: readonly SequenceLine[],
): Promise<void> {
  const own = positions.filter(({ sequence }) => sequence !== AUTH_SEQUENCE)
  await engine.run(
    ownerWork(schemaName, [
      ...own.map((position) => setPosition(schemaName, position)),
      ...[...afterRows, ...refresh].map(verbatim),
    ]),
  )
  const platform = positions.filter(({ sequence }) => sequence === AUTH_SEQUENCE)
  if (platform.length > 0)
    await engine.admin(
      schemaName,
      script(platform.map((position) => setPosition(schemaName, position))),
    )
}

function setPosition(schemaName: SchemaName, { is_called, sequence, value }: SequenceLine): Sql {
  const name = literal(identifier(schemaName, sequence).text)
  return sql`select pg_catalog.setval(${name}, ${literal(value)}, ${verbatim(String(is_called))})`
}

async function insertRows(engine: Engine, schemaName: SchemaName, line: RowsLine): Promise<void> {
  const { columns, rows, table } = line
  const target = identifier(schemaName, table)
  const statements =
    columns.length === 0
      ? rows.map(() => sql`insert into ${target} default values`)
      : [
          sql`insert into ${target} (${join(columns.map((name) => identifier(name)))})
overriding system value values ${join(rows.map(rowOf), ',\n')}`,
        ]
  if (rows.length === 0) return
  if (line.line === 'auth_rows') requireAuthTable(line)
  await engine.run(
    line.line === 'rows'
      ? ownerWork(schemaName, statements)
      : { ...work(schemaName), actor: { schemaName, role: 'auth_admin' }, statements },
  )
}

function rowOf(cells: readonly (string | null)[]): Sql {
  return sql`(${join(cells.map((cell) => (cell === null ? verbatim('null') : literal(cell))))})`
}

function requireAuthTable({ columns, table }: RowsLine): void {
  const known = AUTH_TABLE_COLUMNS.get(table)
  const strange = columns.find((name) => known?.includes(name) !== true)
  if (known !== undefined && strange === undefined && new Set(columns).size === columns.length)
    return
  throw new ProjectLineError(
    `it has rows of ${JSON.stringify(`${table}.${strange ?? ''}`)}, which this release does not have`,
  )
}

function ownerWork(schemaName: SchemaName, statements: readonly Sql[]): TenantWork {
  return {
    ...work(schemaName),
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    statements: tenantScript(script([...cloneSettings('full'), ...statements]).text),
  }
}

function work(schemaName: SchemaName): Omit<TenantWork, 'actor' | 'statements'> {
  return {
    settings: { search_path: searchPathOf(schemaName), ...PLAIN_FORMATS },
    mode: 'readWrite',
    end: 'commit',
    timeoutMillis: TIMEOUT_MILLIS,
    mayKeepOthersWaiting: true,
    firesNoEventTriggers: true,
  }
}
