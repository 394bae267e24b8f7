// Tenant.changes(): what a block of a test wrote.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, type Tenant } from '../../../emulator/index.ts'
import { TEST_ENGINE } from '../../support/engine-of-run.ts'

const SQL = `create table notes (id integer primary key, owner uuid default gen_random_uuid(), text text, at timestamptz default now());
  create table tags (note integer references notes on delete cascade, word text)`

let emulator: Emulator
let tenant: Tenant
beforeAll(async () => {
  emulator = await createEmulator({ ...TEST_ENGINE, history: true })
  tenant = await emulator.tenant('aurora')
  await tenant.sql(SQL)
})
afterAll(() => emulator.close())

describe('changes()', () => {
  it('returns the changes of the block, with placeholders for generated values', async () => {
    await tenant.sql(`insert into notes (id, text) values (0, 'before')`)
    const changes = await tenant.changes(async () => {
      await tenant.sql(
        `insert into notes (id, text) values (1, 'first'); insert into tags values (1, 'a')`,
      )
      await tenant.sql(`update notes set text = 'second', owner = null where id = 1`)
      await tenant.sql('delete from tags')
    })
    expect(changes).toMatchInlineSnapshot(`
      [
        {
          "kind": "INSERT",
          "row": {
            "at": "<time 1>",
            "id": "1",
            "owner": "<uuid 1>",
            "text": "first",
          },
          "table": "notes",
        },
        {
          "kind": "INSERT",
          "row": {
            "note": "1",
            "word": "a",
          },
          "table": "tags",
        },
        {
          "columns": {
            "owner": [
              "<uuid 1>",
              null,
            ],
            "text": [
              "first",
              "second",
            ],
          },
          "key": {
            "id": "1",
          },
          "kind": "UPDATE",
          "table": "notes",
        },
        {
          "kind": "DELETE",
          "row": {
            "note": "1",
            "word": "a",
          },
          "table": "tags",
        },
      ]
    `)
  })

  it('returns only changes of the named tables', async () => {
    const changes = await tenant.changes(
      () => tenant.sql(`insert into notes (id) values (5); insert into tags values (5, 'b')`),
      { tables: ['tags'] },
    )
    expect(changes.map(({ table }) => table)).toEqual(['tags'])
  })

  it('returns more changes than one page has', async () => {
    const changes = await tenant.changes(() =>
      tenant.sql(`insert into tags select null, n::text from generate_series(1, 2500) as n`),
    )
    expect(changes.map(({ row }) => row?.['word'])).toEqual(
      Array.from({ length: 2_500 }, (_, index) => String(index + 1)),
    )
  })

  it('is refused when nothing is recorded', async () => {
    await using other = await createEmulator(TEST_ENGINE)
    const unrecorded = await other.tenant('aurora')
    await expect(unrecorded.changes(() => undefined)).rejects.toMatchObject({
      code: 'no_history',
      message: expect.stringContaining('{ history: true }'),
    })
  })
})
