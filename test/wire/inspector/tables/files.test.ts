// Export and import of a table's rows as CSV and JSON. An import inserts all rows or none, and reports every problem with its
// line.
import { beforeAll, describe, expect, it } from 'vitest'
import { ANA, startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import type { Json } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
  await world.sql(`create table things (
    id integer primary key, name varchar(5), empty text, facts jsonb, tags text[], bytes bytea,
    n numeric, feeling mood, doubled integer generated always as (id * 2) stored);
    create table counted (id bigint generated always as identity primary key, v text)`)
})

const wipe = () => world.sql('truncate things')
const exported = async (table: string, format: string) =>
  (await world.api('GET', `/tables/${table}/export?format=${format}`)).text
const problemsOf = ({ body }: Json) => body.error.problems

const ROWS: readonly Json[] = [
  [
    '1',
    'a,"b"',
    '',
    '{"k": [1, null]}',
    '{x,NULL,"y z"}',
    '\\xff00',
    '12345678901234567890.5',
    'sad',
    '2',
  ],
  ['2', ' l\n2 ', null, '"text"', '{}', '\\x', 'NaN', null, '4'],
  ['3', null, null, null, null, null, null, null, '6'],
]

async function fill(): Promise<void> {
  await wipe()
  const names = ['id', 'name', 'empty', 'facts', 'tags', 'bytes', 'n', 'feeling']
  const edits = ROWS.map((row) => ({
    kind: 'insert',
    row: Object.fromEntries(names.map((name, index) => [name, row[index]])),
  }))
  const answer = await world.edit('things', edits)
  expect(answer.body).toEqual({ rows_changed: 3, rows_not_found: 0 })
}

describe('an export', () => {
  it('as CSV distinguishes null from empty text', async () => {
    await fill()
    const text = await exported('things', 'csv')
    expect(text.split('\r\n')).toEqual([
      'id,name,empty,facts,tags,bytes,n,feeling,doubled',
      '1,"a,""b""","","{""k"": [1, null]}","{x,NULL,""y z""}",\\xff00,12345678901234567890.5,sad,2',
      '2," l\n2 ",,"""text""",{},\\x,NaN,,4',
      '3,,,,,,,,6',
      '',
    ])
  })

  it('as CSV distinguishes JSON null from SQL null after an import', async () => {
    await wipe()
    const file = 'id,facts\r\n1,null\r\n2,\r\n3,"{""k"":null}"\r\n'
    const { body } = await world.api('POST', '/tables/things/import?format=csv', file)
    expect(body).toEqual({ rows_changed: 3, rows_not_found: 0 })
    expect(await exported('things', 'csv')).toMatch(
      /\r\n1,,,null,.*\r\n2,,,,.*\r\n3,,,"\{""k"": null\}",/,
    )
  })

  it.each(['csv', 'json'])(
    'as %s of a view that fails is refused before any row is sent',
    async (format) => {
      await world.sql('create or replace view failing as select 1 / 0 as x')
      const { status, body } = await world.api('GET', `/tables/failing/export?format=${format}`)
      expect([status, body.error.code, body.error.sql_state]).toEqual([400, 'sql_refused', '22012'])
    },
  )

  it('as JSON keeps every digit', async () => {
    await fill()
    const text = await exported('things', 'json')
    expect(text).toContain('"n":12345678901234567890.5')
    expect(JSON.parse(text)).toHaveLength(3)
  })

  it.each(['csv', 'json'] as const)('as %s restores the same rows on import', async (format) => {
    await fill()
    const file = await exported('things', format)
    await wipe()
    const answer = await world.importFile('things', format, file)
    expect(answer.body).toEqual({ rows_changed: 3, rows_not_found: 0 })
    expect((await world.rows('things')).body.rows).toEqual(ROWS)
  })

  it('contains every row of a large table once, with and without a primary key', async () => {
    await world.sql(`create table many (a int, b int, t text, primary key (a, b));
      insert into many select n % 7, n, repeat('x', n % 300) from generate_series(1, 25000) n;
      create table heap as select b, t from many`)
    for (const table of ['many', 'heap']) {
      const lines = (await exported(table, 'csv')).trimEnd().split('\r\n').slice(1)
      const column = table === 'many' ? 1 : 0
      const numbers = new Set(lines.map((line) => line.split(',')[column]))
      expect([lines.length, numbers.size]).toEqual([25_000, 25_000])
    }
    await world.sql('drop table many, heap')
  })

  it('has a header line in CSV, or an empty list in JSON, when the table is empty', async () => {
    expect(await exported('secrets', 'csv')).toBe('id\r\n')
    expect(JSON.parse(await exported('secrets', 'json'))).toEqual([])
  })

  it.each([
    ['auth_users', 'csv', 403],
    ['nothing', 'csv', 404],
    ['notes', 'xlsx', 400],
  ])('of %s as %s is refused', async (table, format, status) => {
    const answer = await world.api('GET', `/tables/${table}/export?format=${format}`)
    expect(answer.status).toBe(status)
  })
})

describe('an import', () => {
  it('accepts 20,000 rows', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `${n + 10},n${n % 1000}`)
    await wipe()
    const answer = await world.importFile('things', 'csv', `id,name\n${lines.join('\n')}\n`)
    expect(answer.body).toEqual({ rows_changed: 20_000, rows_not_found: 0 })
    await wipe()
  })

  it('of objects uses defaults for missing members', async () => {
    const file = `{"body": "first"}\n{"body": null, "feeling": "sad", "tags": ["a", "b"], "facts": {"x": 1}}\n`
    const answer = await world.importFile('notes', 'json', file)
    expect(answer.body).toEqual({ rows_changed: 2, rows_not_found: 0 })
    const { body } = await world.rows('notes', {
      order: [{ column: 'id', descending: true }],
      limit: 2,
    })
    expect(body.rows.map((row: Json) => row.slice(1, 7))).toEqual([
      [ANA, null, 'sad', null, '{a,b}', '{"x": 1}'],
      [ANA, 'first', 'ok', null, null, null],
    ])
  })

  it('keeps the given values of identity columns', async () => {
    const answer = await world.importFile('counted', 'csv', 'v,id\r\nx,41\r\n')
    expect(answer.body.rows_changed).toBe(1)
    expect((await world.rows('counted')).body.rows).toEqual([['41', 'x']])
  })

  it('names every bad line and inserts nothing', async () => {
    await wipe()
    const file =
      'id,name,feeling,n\n1,ok,sad,1\nx,ok,,\n2,"much\ntoo long",,\n3,ok,furious,\n1,twin,,\n4,ok,,many\n'
    const answer = await world.importFile('things', 'csv', file)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'import_refused'])
    expect(problemsOf(answer).map(({ line }: Json) => line)).toEqual([3, 4, 6, 7, 8])
    expect(problemsOf(answer)[0].message).toBe('invalid input syntax for type integer: "x"')
    expect(problemsOf(answer)[3].message).toContain('duplicate key')
    expect((await world.rows('things')).body.total).toBe(0)
  })

  it('names the line of a row that violates a constraint deferred to the end of the transaction', async () => {
    await world.sql(`create table late (id int primary key,
      other int references late deferrable initially deferred)`)
    const answer = await world.importFile(
      'late',
      'json',
      '[{"id": 1, "other": 1},\n{"id": 2, "other": 9}]',
    )
    expect(problemsOf(answer)).toEqual([
      { line: 2, column: null, message: expect.stringContaining('late_other_fkey') },
    ])
  })

  it.each([
    ['csv', '', 1, 'the file is empty'],
    ['csv', 'id,nothing\n1,2', 1, 'has no column "nothing"'],
    ['csv', 'id,id\n1,2', 1, 'appears twice'],
    ['csv', 'id,name\n1', 2, 'has 1 fields'],
    ['csv', 'id,name\n1,"x', 2, 'not closed'],
    ['csv', 'id,name\n1,"x"y', 2, 'after a closing quote'],
    ['csv', 'id,name\n1,x"y', 2, 'a quote inside a field'],
    ['csv', 'id,facts\n\n1,{', 3, 'not valid JSON'],
    ['csv', 'id,name\n1,a\0b', 2, 'NUL'],
    ['csv', 'doubled\n1', 2, 'no column that can be written'],
    ['json', '', null, 'the file is empty'],
    ['json', '[{"id": 1}', 1, 'in the middle'],
    ['json', '[{"id": 1},\n7]', 2, 'not a JSON object'],
    ['json', '[\n{"id": }]', 2, 'not valid JSON'],
    ['json', '{"nothing": 1}', 1, 'has no column "nothing"'],
    ['json', '[{}]', 1, 'no column that can be written'],
    ['json', '[{"id": 1}] {"id": 2}', 1, 'after the end'],
    ['json', ']', 1, 'extra ]'],
    ['json', '{"id": {"a": 1}}', 1, 'invalid input syntax'],
    ['json', '{"id": 1, "name": "\\u0000"}', 1, 'unsupported Unicode'],
  ] as const)('of the %s %j is refused', async (format, file, line, words) => {
    const answer = await world.importFile('things', format, file)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'import_refused'])
    expect(problemsOf(answer)[0]).toMatchObject({ line, message: expect.stringContaining(words) })
  })

  it('accepts a byte order mark, both kinds of line ends, and a file without rows', async () => {
    await wipe()
    const answer = await world.importFile('things', 'csv', '\uFEFFid,empty\r\n1,""\n2,\r3,x')
    expect(answer.body.rows_changed).toBe(3)
    expect((await world.rows('things')).body.rows.map((row: Json) => row[2])).toEqual([
      '',
      null,
      'x',
    ])
    expect((await world.importFile('things', 'csv', 'id\n')).body.rows_changed).toBe(0)
    expect((await world.importFile('things', 'json', '[]')).body.rows_changed).toBe(0)
  })

  it('is refused for a file that is not text or too large, and for a closed table', async () => {
    const send = (table: string, body: BodyInit) =>
      fetch(
        `${world.at.url}/_emulator/v1/projects/${world.tenant.slug}/tables/${table}/import?format=csv`,
        { method: 'POST', body },
      )
    expect((await send('things', Uint8Array.of(0x69, 0x64, 0xff))).status).toBe(400)
    expect((await send('auth_users', 'id\n')).status).toBe(403)
    expect((await send('things', `id\n${' '.repeat(60 << 20)}`)).status).toBe(413)
    expect((await send('notes', 'id')).status).toBe(200)
  })
})
