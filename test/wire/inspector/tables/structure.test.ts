// The tables of a project and their structure over /_emulator/v1.
import { beforeAll, describe, expect, it } from 'vitest'
import { startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import { type Json, provisionTenant } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
})

const tableOf = (list: Json, name: string) => list.tables.find((table: Json) => table.name === name)

describe('the list of tables', () => {
  it('shows kinds, row security, policies, comments and numbers of rows', async () => {
    const { body, status } = await world.api('GET', '/tables')
    expect(status).toBe(200)
    expect(tableOf(body, 'notes')).toEqual({
      name: 'notes',
      kind: 'table',
      rls_enabled: true,
      is_closed: false,
      policies: 2,
      rows: 3,
      is_exact: true,
      comment: 'what people write',
    })
    expect(tableOf(body, 'short_notes')).toMatchObject({ kind: 'view', rows: null })
    expect(tableOf(body, 'auth_users')).toMatchObject({ is_closed: true, rows: 0, is_exact: true })
    expect(tableOf(body, 'secrets')).toMatchObject({ rows: 0, is_exact: true })
  })

  it('counts the rows of a table without statistics', async () => {
    await world.sql(
      "create table fresh as select n, 'text ' || n as words from generate_series(1, 20000) as n",
    )
    const { body } = await world.api('GET', '/tables/fresh')
    expect(body).toMatchObject({ rows: 20_000, is_exact: true })
    await world.sql('drop table fresh')
  })

  it('estimates the rows of tables that take long to count', async () => {
    await world.sql(`create table large as select n from generate_series(1, 210000) as n;
      create table split (n int) partition by range (n);
      create table low partition of split for values from (0) to (110000);
      create table high partition of split for values from (110000) to (999999);
      insert into split select n from large`)
    const { body } = await world.api('GET', '/tables')
    for (const name of ['large', 'split']) {
      const { rows, is_exact } = tableOf(body, name)
      expect(is_exact).toBe(false)
      expect(Math.abs(rows - 210_000)).toBeLessThan(10_000)
    }
    await world.sql('drop table large, split')
  })

  it('shows a table that was created and changed after an earlier list', async () => {
    await world.api('GET', '/tables')
    await world.sql('create table late (id int primary key)')
    await world.sql("comment on table late is 'new'; alter table late add column added text")
    const { body } = await world.api('GET', '/structure')
    const late = tableOf(body, 'late')
    await world.sql('drop table late')
    const after = await world.api('GET', '/tables')
    expect(late).toMatchObject({ comment: 'new', columns: [{ name: 'id' }, { name: 'added' }] })
    expect(tableOf(after.body, 'late')).toBeUndefined()
  })

  it('lists a materialised view that was never filled', async () => {
    await world.sql('create materialized view hollow as select 1 as n with no data')
    const { body, status } = await world.api('GET', '/tables')
    expect(status).toBe(200)
    expect(tableOf(body, 'hollow')).toMatchObject({ rows: null, is_exact: false })
    expect(tableOf(body, 'notes')).toMatchObject({ rows: 3 })
    await world.sql('drop materialized view hollow')
  })

  it.each([['unknown'], ['..%2f..'], ['%00']])('returns 404 for project %s', async (project) => {
    const answer = await world.at.call('GET', `/_emulator/v1/projects/${project}/tables`)
    expect(answer.status).toBe(404)
  })
})

describe('a table’s structure', () => {
  it('shows columns with choices, defaults and generated values', async () => {
    const { body } = await world.api('GET', '/tables/notes')
    const columns = new Map(body.columns.map((column: Json) => [column.name, column]))
    expect(columns.get('id')).toMatchObject({ type: 'bigint', is_key: true, is_nullable: false })
    expect(columns.get('feeling')).toMatchObject({
      type: 'mood',
      choices: ['sad', 'ok', 'happy'],
      is_nullable: false,
    })
    expect(columns.get('score')).toMatchObject({ type: 'positive', choices: null })
    expect(columns.get('tags')).toMatchObject({ type: 'text[]' })
    expect(columns.get('words')).toMatchObject({ is_generated: true, default: 'length(body)' })
    expect(columns.get('body')).toMatchObject({ comment: 'the text', is_key: false })
  })

  it('shows foreign keys in both directions', async () => {
    const key = {
      name: 'notes_clinic_id_fkey',
      table: 'notes',
      columns: ['clinic_id'],
      target_table: 'clinics',
      target_columns: ['id'],
      is_unique: false,
    }
    const [notes, clinics] = [
      await world.api('GET', '/tables/notes'),
      await world.api('GET', '/tables/clinics'),
    ]
    expect(notes.body.foreign_keys).toEqual([key])
    expect(clinics.body.referenced_by).toEqual([key])
  })

  it('is the same when all tables are read at once, and includes unique keys', async () => {
    await world.sql(
      'create table likes (note_id bigint references notes primary key, clinic_id bigint references clinics, at date, unique (clinic_id, at));' +
        'create unique index on likes (clinic_id) where at is null',
    )
    const { body, status } = await world.api('GET', '/structure')
    expect(status).toBe(200)
    const { body: notes } = await world.api('GET', '/tables/notes')
    expect(tableOf(body, 'notes')).toEqual(notes)
    const keys = tableOf(body, 'likes').foreign_keys.map((key: Json) => [key.name, key.is_unique])
    expect(keys).toEqual([
      ['likes_clinic_id_fkey', false],
      ['likes_note_id_fkey', true],
    ])
    expect(tableOf(body, 'likes').indexes).toEqual([
      {
        name: 'likes_pkey',
        is_unique: true,
        constraint: 'primary_key',
        definition: 'btree (note_id)',
      },
      {
        name: 'likes_clinic_id_at_key',
        is_unique: true,
        constraint: 'unique',
        definition: 'btree (clinic_id, at)',
      },
      {
        name: 'likes_clinic_id_idx',
        is_unique: true,
        constraint: null,
        definition: 'btree (clinic_id) WHERE (at IS NULL)',
      },
    ])
    await world.sql('drop table likes')
  })

  it('is shown for a closed table', async () => {
    const { body } = await world.api('GET', '/tables/auth_users')
    expect(body).toMatchObject({ is_closed: true })
    expect(body.columns.map((column: Json) => column.name)).toContain('email')
  })

  it('is shown for a table with an odd name', async () => {
    const path = `/tables/${encodeURIComponent('odd "name" ; drop')}`
    const { body } = await world.api('GET', path)
    expect(body.columns.map((column: Json) => column.name)).toEqual(['a "b"', "c'd"])
  })

  it.each([['nothing'], ["x'; drop table notes; --"], ['\0'], ['pg_class'], ['notes_pkey']])(
    'returns 404 for the name %j',
    async (name) => {
      const answer = await world.api('GET', `/tables/${encodeURIComponent(name)}`)
      expect(answer.status).toBe(404)
      expect(answer.body.error.code).toBe('not_found')
    },
  )
})

describe('the difference of two structures', () => {
  it('is empty between a project and itself', async () => {
    const self = await world.api('GET', `/structure-diff?with=${world.tenant.slug}`)
    expect(self.body).toEqual({ differences: [] })
  })

  it('names tables, columns, defaults, constraints, indexes, policies, functions, triggers, views, types and grants', async () => {
    const { body, status } = await world.api('GET', '/structure-diff?with=vendor')
    expect(status).toBe(200)
    const found = (object: string) =>
      body.differences.filter((each: Json) => each.object === object).map((each: Json) => each.name)
    expect(found('table')).toContain('notes')
    expect(found('column')).toContain('notes.body')
    expect(found('policy')).toContain('notes.own')
    expect(found('type')).toEqual(['mood', 'positive'])
    expect(found('view')).toEqual(['short_notes'])
    expect(found('constraint')).toContain('notes.notes_clinic_id_fkey')
    expect(found('grant').length).toBeGreaterThan(0)
    expect(body.differences[0]).toMatchObject({ kind: 'extra', there: null })
  })

  it('shows both sides of a difference', async () => {
    const other = await provisionTenant(world.at, await groupOf(), 'differs')
    const run = (slug: string, sql: string) =>
      world.at.call('POST', `/_emulator/v1/projects/${slug}/sql`, {
        body: { sql, identity: 'owner' },
      })
    const common = 'create table both_have (id int primary key, name text default %)'
    await run(world.tenant.slug, common.replace('%', "'a'"))
    await run(other.slug, `${common.replace('%', "'b'")}; create index on both_have (name)`)
    const { body } = await world.api('GET', `/structure-diff?with=${other.slug}`)
    expect(body.differences).toContainEqual({
      kind: 'different',
      object: 'column',
      name: 'both_have.name',
      here: "text default 'a'::text",
      there: "text default 'b'::text",
    })
    expect(body.differences).toContainEqual(
      expect.objectContaining({
        kind: 'missing',
        object: 'index',
        name: 'both_have_name_idx',
        here: null,
      }),
    )
    await run(world.tenant.slug, 'drop table both_have')
  })

  it.each([
    ['', 400],
    ['?with=unknown', 404],
    ['?with=', 400],
  ])('is refused for the query %s', async (query, status) => {
    expect((await world.api('GET', `/structure-diff${query}`)).status).toBe(status)
  })
})

async function groupOf(): Promise<{ id: string; key: string }> {
  const groups = await world.at.call('GET', '/platform/v1/groups', {
    credential: world.at.session,
  })
  const { id } = (groups.body.groups ?? groups.body)[0]
  const key = await world.at.call('POST', `/platform/v1/groups/${id}/keys`, {
    credential: world.at.session,
    body: { label: 'structure' },
  })
  return { id, key: key.body.key }
}
