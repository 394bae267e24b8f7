// The records of a bundle contain every table and column of the platform's database, and nothing else.
import { describe, expect, it } from 'vitest'
import { openPlatformDb } from '../../../emulator/assembly/records.ts'
import type { SystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { RECORD_TABLES } from '../../../emulator/workflow/bundles/state/record-tables.ts'
import {
  dumpRecords,
  loadRecords,
  parseRecords,
} from '../../../emulator/workflow/bundles/state/records.ts'

/** Tables that a bundle leaves out: versions of the database itself, and steps that the next start runs. */
const LEFT_OUT = [
  'emptied_projects',
  'fixture_steps',
  'schema_versions',
  'sqlite_sequence',
  'step_texts',
]
const ID = '00000000-0000-4000-8000-00000000000'
const PRECIOUS = '../../../../precious.txt'

const columnsOf = (db: SystemDb, table: string): readonly string[] =>
  db
    .prepare<[string], { name: string }>('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)

function filled(): SystemDb {
  const db = openPlatformDb(undefined)
  const put = (table: string, ...values: readonly (string | number | null)[]): void => {
    db.prepare<(string | number | null)[]>(
      `insert into ${table} values (${values.map(() => '?').join(', ')})`,
    ).run(...values)
  }
  put('owners', `${ID}2`, 'b@c.test', 'hash', 1)
  put('owners', `${ID}1`, 'a@b.test', 'hash', 2)
  put(
    'projects',
    7,
    `${ID}3`,
    'shop',
    'Shop',
    'template',
    'active',
    'pro',
    1,
    `${ID}1`,
    null,
    null,
    1,
    3,
  )
  put('buckets', 'proj_shop_papers', 'proj_shop', 0, null, 4, 4, null, '["text/plain"]')
  put(
    'objects',
    `${ID}4`,
    'proj_shop_papers',
    'a/../b.txt',
    `${ID}5`,
    null,
    3,
    '"e"',
    'text/plain',
    'no-cache',
    null,
    5,
    5,
    5,
    null,
  )
  put('resumable_uploads', `${ID}6`, 'proj_shop_papers', 'c', null, 1, 9, 0, '{}', 0, 6)
  put('s3_uploads', 'u', 'proj_shop_papers', 'd', 'o', 'text/plain', 'no-cache', null, 7)
  put('s3_parts', 'u', 1, `${ID}7`, 4, 'abc', 8)
  put(
    'messages',
    5,
    'proj_shop',
    'email',
    'a@b.test',
    'a@b.test',
    'magic_link',
    null,
    'x',
    null,
    null,
    null,
    9,
    0,
  )
  db.prepare<[]>('delete from messages').run()
  put('fixture_steps', 1, '{"kind":"dropAccount","ownerId":"x"}')
  return db
}

it('dumps all tables and columns of the platform’s database, except tables with instructions for the start', () => {
  const db = openPlatformDb(undefined)
  const tables = db
    .prepare<[], { name: string }>(
      `select name from sqlite_schema where type = 'table' order by name`,
    )
    .all()
    .map(({ name }) => name)
  expect([...RECORD_TABLES.keys(), ...LEFT_OUT].toSorted()).toEqual(tables)
  for (const [table, { shape }] of RECORD_TABLES)
    expect(Object.keys(shape), table).toEqual(columnsOf(db, table))
  db.close()
})

it('restores rows in their order, and never reuses the number of a deleted row', () => {
  const db = filled()
  const text = dumpRecords(db)
  const records = parseRecords(text)
  if (records === undefined) throw new Error('no records')
  const again = openPlatformDb(undefined)
  loadRecords(again, records)
  expect(dumpRecords(again)).toBe(text)
  expect(again.prepare<[], object>('select * from fixture_steps').all()).toEqual([])
  const next = again
    .prepare<[], { seq: number }>(
      `insert into messages (schema_name, channel, recipient, recipient_key, purpose, text, sent_at)
       values ('proj_shop', 'sms', 'x', 'x', 'one_time_code', 'x', 1) returning id as seq`,
    )
    .get()
  expect(next?.seq).toBe(6)
})

describe('a forged file', () => {
  const content = JSON.parse(dumpRecords(filled()))
  const withRow = (table: string, changes: object): string =>
    JSON.stringify({
      ...content,
      tables: { ...content.tables, [table]: [{ ...content.tables[table][0], ...changes }] },
    })

  it.each([
    ['objects', { version: PRECIOUS }],
    ['resumable_uploads', { version: PRECIOUS }],
    ['resumable_uploads', { version: `${ID}6/../../x` }],
    ['s3_parts', { file_id: PRECIOUS }],
    ['projects', { slug: '../shop' }],
    ['projects', { slug: 'shop"; drop' }],
    ['buckets', { schema_name: 'public' }],
    ['objects', { version: 1 }],
    ['objects', { mime_type: 'a\r\nset-cookie: x' }],
    ['projects', { is_usable: 2 }],
    ['projects', { extra: 1 }],
    ['projects', { seq: 1.5 }],
  ])('is refused for a row of %s with %j', (table, changes) => {
    expect(parseRecords(withRow(table, {}))).toBeDefined()
    expect(parseRecords(withRow(table, changes))).toBeUndefined()
  })

  it.each(['fixture_steps', 'sqlite_schema', 'schema_versions', 'Trigger', '__proto__x'])(
    'is refused for the table %s',
    (table) => {
      const tables = { ...content.tables, [table]: [] }
      expect(parseRecords(JSON.stringify({ ...content, tables }))).toBeUndefined()
    },
  )

  it('is refused when it is not JSON, or lacks a part', () => {
    for (const text of ['', 'SQLite format 3\0', '[]', '{}', '{"tables":{}}'])
      expect(parseRecords(text)).toBeUndefined()
  })
})
