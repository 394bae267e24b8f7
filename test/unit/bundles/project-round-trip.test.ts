// A project that is written as lines and built again from them has the same structure, rows, users and positions of sequences.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { cellText, type Engine } from '../../../emulator/database/engine.ts'
import { createRowReader, type RowReader } from '../../../emulator/database/row-reader.ts'
import { literal, script, sql, verbatim } from '../../../emulator/database/sql.ts'
import { loadStructure } from '../../../emulator/database/template/structure.ts'
import { AUTH_TABLE_COLUMNS } from '../../../emulator/database/tenant-schema/auth-table-columns.ts'
import { dumpProject } from '../../../emulator/workflow/bundles/state/dump-project.ts'
import { loadProject } from '../../../emulator/workflow/bundles/state/load-project.ts'
import {
  type ProjectLine,
  parseProjectLine,
} from '../../../emulator/workflow/bundles/state/project-lines.ts'
import { anyTemplate } from '../../support/any-template.ts'
import { structureDifferences } from '../../support/structure-differences.ts'
import { lastCell, openTestEngine, runAsOwner, runAsRole } from '../../support/test-engine.ts'

// The test's SQL files contain the name of this schema.
const PROJECT = trusted.schemaName('proj_tpl')
const read = (name: string) =>
  readFileSync(new URL(`../database/template/${name}`, import.meta.url), 'utf8').replaceAll(
    'proj_words',
    PROJECT,
  )

let engine: Engine
let reader: RowReader
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  reader = createRowReader(engine)
})
afterAll(() => engine.close())

async function dump(): Promise<readonly ProjectLine[]> {
  const lines: ProjectLine[] = []
  for await (const line of dumpProject({ engine, reader }, PROJECT)) {
    const parsed = parseProjectLine(JSON.stringify(line))
    if (parsed === undefined) throw new Error(`no line: ${JSON.stringify(line).slice(0, 500)}`)
    lines.push(parsed)
  }
  return lines
}

async function* from(lines: readonly ProjectLine[]): AsyncGenerator<ProjectLine> {
  yield* lines
}

async function build(sqlText: string): Promise<void> {
  await engine.projects.create(PROJECT)
  await runAsOwner(engine, PROJECT, sqlText)
}

const ROWS = `
insert into countries (code, name) values ('BR', 'Brasil \\ ''x'''), ('PT', E'two\nlines');
insert into customers ("Full Name", email, balance, tags) values
  ('Ana', 'a@b', row(1.50, 'BRL'), '{"a b","c\\"d",null}'), ('Bea', null, null, '{}');
insert into orders (customer_id, total, kind, extra, period)
  select id, 12.30, 'x', '{"a":[1,null]}', '[2026-01-01,2026-02-01)' from customers;
update orders set parent_id = (select max(id) from orders);
insert into order_lines select id, 1, 2 from orders;
insert into loners default values;
insert into loners default values;
insert into events (at, kind) values ('2026-05-05', 'a');
select nextval('ticket');`

const AUTH_ROWS = `
insert into proj_tpl.auth_users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'x@y.test');
insert into proj_tpl.auth_sessions (id, user_id) values
  ('00000000-0000-4000-8000-00000000000b', '00000000-0000-4000-8000-00000000000a');
insert into proj_tpl.auth_refresh_tokens (token_hash, session_id) values
  ('h', '00000000-0000-4000-8000-00000000000b')`

describe('a project', () => {
  it.each([
    ['one of everything', () => read('big-template.sql') + ROWS],
    ['expressions', () => read('expressions.sql')],
  ])('is the same after a dump and a load: %s', async (_, text) => {
    await build(text())
    await runAsRole(engine, PROJECT, 'auth_admin', AUTH_ROWS.split(';').map(verbatim))
    const structure = await loadStructure(engine, PROJECT)
    const lines = await dump()
    await engine.projects.drop(PROJECT)
    await loadProject(engine, PROJECT, from(lines))
    expect(structureDifferences(structure, await loadStructure(engine, PROJECT))).toEqual([])
    expect(await dump()).toEqual(lines)
    const users = 'select email from auth_users'
    expect(lastCell(await runAsOwner(engine, PROJECT, users))).toBe('x@y.test')
    await engine.projects.drop(PROJECT)
  })

  it('is the same after a dump and a load for generated structures', async () => {
    await fc.assert(
      fc.asyncProperty(anyTemplate(), async (text) => {
        await build(text)
        await runAsOwner(engine, PROJECT, 'insert into t0 (note) values (1)').catch(() => undefined)
        const lines = await dump()
        await engine.projects.drop(PROJECT)
        await loadProject(engine, PROJECT, from(lines))
        const again = await dump()
        await engine.projects.drop(PROJECT)
        expect(again).toEqual(lines)
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })
})

describe('lines of an untrusted bundle', () => {
  const STRUCTURE: ProjectLine = {
    line: 'structure',
    comment: null,
    before_rows: ['create table t (id int)'],
    after_rows: [],
    refresh: [],
  }

  it.each([
    'alter role proj_tpl_owner superuser',
    `copy (select 1) to '/pglite/data/tenantry-loading.json'`,
    `copy (select 1) to program 'touch x'`,
    `select lo_export(1, '/pglite/data/x')`,
    `select pg_catalog.pg_read_file('/pglite/data/PG_VERSION')`,
    `select pg_catalog.pg_file_write('x', 'y', false)`,
    'create event trigger e on ddl_command_end execute function f()',
    'create extension adminpack',
    'reset role',
    'set session authorization postgres',
    'drop table auth_users cascade',
    'insert into auth_users (email) values (1)',
    `create function f() returns int language c as '/x', 'y'`,
    `update pg_catalog.pg_authid set rolsuper = true`,
    `select * from platform.canary`,
  ])('run as the project’s owner, who may not run: %s', async (statement) => {
    for (const place of ['before_rows', 'after_rows', 'refresh'] as const) {
      const lines = from([{ ...STRUCTURE, [place]: [statement] }])
      await expect(loadProject(engine, PROJECT, lines)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42|0A|22|2B|58|P0)/),
      })
      await engine.projects.drop(PROJECT)
    }
  })

  it.each([
    { line: 'auth_rows', table: 't', columns: ['id'], rows: [['1']] },
    { line: 'auth_rows', table: 'auth_users', columns: ['id', 'nothing'], rows: [['1', '2']] },
    { line: 'auth_rows', table: 'auth_users', columns: ['id', 'id'], rows: [['1', '2']] },
    STRUCTURE,
  ] as const)('are refused when a name is unknown or something occurs twice: %j', async (line) => {
    await expect(
      loadProject(engine, PROJECT, from([STRUCTURE, line as ProjectLine])),
    ).rejects.toThrow(/which this release does not have|twice/)
    await engine.projects.drop(PROJECT)
  })

  it.each([
    '',
    '[]',
    '{"line":"role"}',
    '{"line":"rows","table":"t","columns":["a"],"rows":[["1","2"]]}',
    '{"line":"rows","table":"t","columns":["a"],"rows":[[1]]}',
    '{"line":"sequence","sequence":"s","value":"1); drop table t","is_called":true}',
    '{"line":"structure","comment":null,"before_rows":[],"after_rows":[],"refresh":[],"role":"x"}',
  ])('are refused when they cannot be parsed: %s', (text) => {
    expect(parseProjectLine(text)).toBeUndefined()
  })
})

it('lists the platform’s tables of a project with their columns', async () => {
  await engine.projects.create(PROJECT)
  const results = await engine.admin(
    PROJECT,
    script([
      sql`select relname, (select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0)
from pg_class as c where relnamespace = ${literal(PROJECT)}::regnamespace and relkind = 'r' order by oid`,
    ]),
  )
  const found = results.at(-1)?.rows.map((row) => row.map(cellText))
  expect(found).toEqual([...AUTH_TABLE_COLUMNS].map(([name, columns]) => [name, columns.join(',')]))
  await engine.projects.drop(PROJECT)
})
