// Rows of a table over /_emulator/v1: read and changed as the owner or as an identity.
import { beforeAll, describe, expect, it } from 'vitest'
import { ANA, BIA, startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import type { Json } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
})

const ana = { kind: 'user', user: ANA }
const ODD = 'odd "name" ; drop'
const bodies = (page: Json) => page.body.rows.map((row: Json) => row[2])
const refusal = ({ status, body }: Json) => `${status} ${body?.error?.code}`

describe('rows', () => {
  it('are all listed without an identity, in the text form of Postgres', async () => {
    const page = await world.rows('notes')
    expect(page.status).toBe(200)
    expect(page.body.total).toBe(3)
    expect(page.body.columns[0]).toEqual({ name: 'id', type: 'bigint', is_key: true })
    expect(bodies(page)).toEqual(['of ana', 'of bia', null])
  })

  it('are limited to the rows that an identity’s policies show', async () => {
    const page = await world.rows('notes', { identity: ana })
    expect(page.body.total).toBe(1)
    expect(bodies(page)).toEqual(['of ana'])
    const server = await world.rows('notes', { identity: { kind: 'service_role' } })
    expect(server.body.total).toBe(3)
    const claims = { kind: 'claims', role: 'authenticated', claims: { sub: BIA } }
    expect((await world.rows('notes', { identity: claims })).body.total).toBe(2)
  })

  it('are listed without a grant, and in spite of forced row security', async () => {
    expect((await world.rows('secrets')).body).toMatchObject({ rows: [], total: 0 })
    expect((await world.rows('forced')).body.rows).toEqual([['1', 'one']])
    expect((await world.rows('short_notes')).body.total).toBe(3)
  })

  it('are filtered, ordered and paged', async () => {
    const filtered = async (...filters: object[]) => bodies(await world.rows('notes', { filters }))
    const filter = (column: string, operator: string, value?: string) => ({
      column,
      operator,
      ...(value === undefined ? {} : { value }),
    })
    expect(await filtered(filter('body', 'is_null'))).toEqual([null])
    expect(await filtered(filter('body', 'is_not_null'))).toHaveLength(2)
    expect(await filtered(filter('body', 'ilike', '%BIA'))).toEqual(['of bia'])
    expect(await filtered(filter('owner', 'like', '%0a'))).toEqual(['of ana'])
    expect(await filtered(filter('id', 'gte', '2'), filter('id', 'lt', '3'))).toEqual(['of bia'])
    expect(await filtered(filter('feeling', 'gt', 'ok'))).toEqual([])
    expect(await filtered(filter('feeling', 'neq', 'sad'))).toHaveLength(3)
    expect(await filtered(filter('body', 'eq', "' or true --"))).toEqual([])
    const page = await world.rows('notes', {
      order: [{ column: 'id', descending: true }],
      limit: 1,
      offset: 1,
    })
    expect([bodies(page), page.body.total]).toEqual([['of bia'], 3])
  })

  describe('are read with the same conditions by owner, identity and explanation', () => {
    beforeAll(async () => {
      await world.sql(`create type pair as (a int, b int);
        create table shapes (id int primary key, doc json, pair pair);
        alter table shapes enable row level security;
        create policy all_rows on shapes using (true);
        insert into shapes values (1, '{"n": 1}', row(1, null)), (2, '{"n":1}', row(null, null)), (3, null, null)`)
    })

    const idsFor = async (request: object): Promise<Json> => {
      const owner = await world.rows('shapes', request)
      const user = await world.rows('shapes', { ...request, identity: ana })
      const explained = await world.api('POST', '/explain', {
        relation: 'shapes',
        identity: ana,
        command: 'select',
        ...request,
      })
      const cells = ({ body }: Json) => body.rows?.map(([id]: Json) => id) ?? body
      return {
        owner: cells(owner),
        user: cells(user),
        explained: explained.body.rows?.map(({ row }: Json) => row.id) ?? explained.body,
      }
    }

    it.each([
      ['doc', 'eq', '{"n": 1}', ['1']],
      ['doc', 'neq', '{"n": 1}', ['2']],
      ['doc', 'is_null', undefined, ['3']],
      ['pair', 'is_null', undefined, ['3']],
      ['pair', 'is_not_null', undefined, ['1', '2']],
      ['pair', 'eq', '(1,)', ['1']],
      ['pair', 'like', '(,)', ['2']],
    ] as const)('%s %s %s', async (column, operator, value, ids) => {
      const filters = [{ column, operator, ...(value === undefined ? {} : { value }) }]
      expect(await idsFor({ filters })).toEqual({ owner: ids, user: ids, explained: ids })
    })

    it('in the same order', async () => {
      const ids = ['1', '2', '3']
      const order = [{ column: 'pair', descending: true }]
      expect(await idsFor({ order })).toEqual({
        owner: ['2', '1', '3'],
        user: ['2', '1', '3'],
        explained: ['2', '1', '3'],
      })
      expect(await idsFor({})).toEqual({ owner: ids, user: ids, explained: ids })
    })
  })

  it('are limited to 32 MB a page', async () => {
    await world.sql(`create table heavy (id int primary key, v text);
      insert into heavy select n, repeat('x', 4000000) from generate_series(1, 12) as n`)
    const page = await world.api('POST', '/tables/heavy/rows', { identity: null })
    expect(page.body.total).toBe(12)
    expect(page.body.rows.map(([id]: Json) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
    expect(page.body.rows_left_out).toBe(4)
    await world.sql('drop table heavy')
  })

  it('are found and changed in a table with odd names', async () => {
    const page = await world.rows(ODD, {
      filters: [{ column: 'a "b"', operator: 'eq', value: 'k"\'' }],
    })
    expect(page.body.rows).toEqual([['k"\'', 'v']])
    const edit = { kind: 'update', key: { 'a "b"': 'k"\'' }, changes: { "c'd": "'; drop" } }
    expect((await world.edit(ODD, [edit])).body).toEqual({ rows_changed: 1, rows_not_found: 0 })
    expect((await world.rows(ODD)).body.rows).toEqual([['k"\'', "'; drop"]])
  })

  it.each([
    [
      'notes',
      { filters: [{ column: 'nothing', operator: 'eq', value: '1' }] },
      '400 invalid_request',
    ],
    ['notes', { filters: [{ column: 'id', operator: 'eq' }] }, '400 invalid_request'],
    ['notes', { filters: [{ column: 'id', operator: 'eq', value: 'x' }] }, '400 sql_refused'],
    ['notes', { filters: [{ column: 'id', operator: 'or', value: '1' }] }, '400 invalid_request'],
    [
      'notes',
      { filters: [{ column: 'body', operator: 'eq', value: '\0' }] },
      '400 invalid_request',
    ],
    ['notes', { order: [{ column: 'id; drop' }] }, '400 invalid_request'],
    ['notes', { limit: 10_001 }, '400 invalid_request'],
    ['notes', { offset: -1 }, '400 invalid_request'],
    ['notes', { identity: { kind: 'postgres' } }, '400 invalid_request'],
    ['notes', { identity: { kind: 'user', user: 'nobody@x.test' } }, '404 not_found'],
    ['secrets', { identity: { kind: 'anon' } }, '403 not_allowed'],
    ['auth_users', {}, '403 closed_table'],
    ['auth_credentials', { identity: { kind: 'service_role' } }, '403 closed_table'],
    ['nothing', {}, '404 not_found'],
  ])('are refused for %s with %j', async (table, request, expected) => {
    expect(refusal(await world.rows(table, request))).toBe(expected)
  })
})

describe('edits', () => {
  it('insert, change and delete rows by their key', async () => {
    const inserted = await world.edit('notes', [
      {
        kind: 'insert',
        row: {
          id: '100',
          body: '',
          feeling: 'happy',
          tags: '{a,"b c",NULL}',
          facts: '{"n": 12345678901234567890}',
          bytes: '\\x00ff',
          at: '2026-01-02T03:04:05Z',
        },
      },
      { kind: 'insert', row: {} },
    ])
    expect(inserted.body).toEqual({ rows_changed: 2, rows_not_found: 0 })
    const only = { filters: [{ column: 'id', operator: 'eq', value: '100' }] }
    const [row] = (await world.rows('notes', only)).body.rows
    expect(row.slice(2)).toEqual([
      '',
      'happy',
      null,
      '{a,"b c",NULL}',
      '{"n": 12345678901234567890}',
      '\\x00ff',
      '2026-01-02 03:04:05+00',
      null,
      '0',
    ])
    const changed = await world.edit('notes', [
      { kind: 'update', key: { id: '100' }, changes: { body: null, score: '5' } },
      { kind: 'delete', key: { id: '9999' } },
    ])
    expect(changed.body).toEqual({ rows_changed: 1, rows_not_found: 1 })
    const gone = await world.edit('notes', [
      { kind: 'delete', key: { id: '100' } },
      { kind: 'delete', key: { id: '4' } },
    ])
    expect(gone.body).toEqual({ rows_changed: 2, rows_not_found: 0 })
  })

  it('are all undone when one fails', async () => {
    const answer = await world.edit('notes', [
      { kind: 'update', key: { id: '1' }, changes: { body: 'changed' } },
      { kind: 'insert', row: { id: '1' } },
    ])
    expect(refusal(answer)).toBe('400 sql_refused')
    expect(answer.body.error).toMatchObject({ sql_state: '23505', constraint: 'notes_pkey' })
    expect(bodies(await world.rows('notes'))[0]).toBe('of ana')
  })

  it('do not change a row that an identity’s policies hide', async () => {
    const hidden = await world.edit(
      'notes',
      [
        { kind: 'update', key: { id: '2' }, changes: { body: 'mine' } },
        { kind: 'delete', key: { id: '3' } },
        { kind: 'update', key: { id: '1' }, changes: { feeling: 'sad' } },
      ],
      ana,
    )
    expect(hidden.body).toEqual({ rows_changed: 1, rows_not_found: 2 })
    const foreign = await world.edit('notes', [{ kind: 'insert', row: { owner: BIA } }], ana)
    expect(refusal(foreign)).toBe('403 not_allowed')
    const anon = await world.edit('secrets', [{ kind: 'insert', row: { id: '1' } }], {
      kind: 'anon',
    })
    expect(refusal(anon)).toBe('403 not_allowed')
  })

  it('by the owner are not limited by forced row security', async () => {
    const answer = await world.edit('forced', [{ kind: 'insert', row: { id: '2', name: 'two' } }])
    expect(answer.body).toEqual({ rows_changed: 1, rows_not_found: 0 })
  })

  it('run triggers with the rights of the editing identity', async () => {
    await world.sql(`create table audited (id int primary key, who text);
      create function note_who() returns trigger language plpgsql as $$
        begin new.who := current_user; return new; end $$;
      create trigger note before insert on audited for each row execute function note_who();`)
    await world.edit('audited', [{ kind: 'insert', row: { id: '1' } }])
    await world.edit('audited', [{ kind: 'insert', row: { id: '2' } }], ana)
    const owner = `${world.tenant.schemaName}_owner`
    expect((await world.rows('audited')).body.rows).toEqual([
      ['1', owner],
      ['2', 'authenticated'],
    ])
  })

  it('identify a row of a table without a key by all columns', async () => {
    const update = (key: object) =>
      world.edit('loose', [{ kind: 'update', key, changes: { b: 'new' } }])
    expect(refusal(await update({ a: '1', b: 'x' }))).toBe('409 ambiguous_row')
    expect(refusal(await update({ a: '2' }))).toBe('400 invalid_request')
    expect((await update({ a: '2', b: null })).body).toEqual({ rows_changed: 1, rows_not_found: 0 })
    expect((await update({ a: '2', b: null })).body).toEqual({ rows_changed: 0, rows_not_found: 1 })
    const rows = (await world.rows('loose', { order: [{ column: 'a' }] })).body.rows
    expect(rows).toEqual([
      ['1', 'x'],
      ['1', 'x'],
      ['2', 'new'],
    ])
  })

  it('accept a value of 400,000 characters', async () => {
    const body = 'é'.repeat(400_000)
    const answer = await world.edit('notes', [
      { kind: 'update', key: { id: '3' }, changes: { body } },
    ])
    expect(answer.status).toBe(200)
    const only = { filters: [{ column: 'id', operator: 'eq', value: '3' }] }
    expect((await world.rows('notes', only)).body.rows[0][2]).toBe(body)
    await world.edit('notes', [{ kind: 'update', key: { id: '3' }, changes: { body: null } }])
  })

  it('name the edit and the column of a value that Postgres refuses', async () => {
    const answer = await world.edit('notes', [
      { kind: 'update', key: { id: '1' }, changes: { body: 'fine' } },
      { kind: 'update', key: { id: '2' }, changes: { body: 'fine', score: 'many' } },
    ])
    expect(refusal(answer)).toBe('400 sql_refused')
    expect(answer.body.error.message).toBe(
      'edits.1.score: invalid input syntax for type integer: "many".',
    )
    expect(answer.body.error).toMatchObject({ sql_state: '22P02', column: 'score' })
  })

  it.each([
    [[], '400 invalid_request'],
    [[{ kind: 'update', key: { id: '1' }, changes: {} }], '400 invalid_request'],
    [[{ kind: 'update', key: { id: '1' }, changes: { nothing: '1' } }], '400 invalid_request'],
    [[{ kind: 'update', key: {}, changes: { body: '1' } }], '400 invalid_request'],
    [[{ kind: 'delete', key: { body: 'of ana' } }], '400 invalid_request'],
    [[{ kind: 'truncate' }], '400 invalid_request'],
    [[{ kind: 'insert', row: { body: 1 } }], '400 invalid_request'],
    [[{ kind: 'insert', row: { body: 'a\0b' } }], '400 invalid_request'],
    [[{ kind: 'insert', row: { body: '\ud800' } }], '400 invalid_request'],
    [[{ kind: 'insert', row: { feeling: 'angry' } }], '400 sql_refused'],
    [[{ kind: 'insert', row: { score: '-1' } }], '400 sql_refused'],
    [[{ kind: 'insert', row: { words: '1' } }], '400 sql_refused'],
    [[{ kind: 'insert', row: { owner: null } }], '400 sql_refused'],
    [[{ kind: 'insert', row: { clinic_id: '77' } }], '400 sql_refused'],
    [[{ kind: 'delete', key: { id: 'x' } }], '400 sql_refused'],
  ])('such as %j are refused', async (edits, expected) => {
    expect(refusal(await world.edit('notes', edits))).toBe(expected)
  })

  it('of a closed table are refused', async () => {
    const answer = await world.edit('auth_users', [{ kind: 'insert', row: {} }])
    expect(refusal(answer)).toBe('403 closed_table')
  })
})
