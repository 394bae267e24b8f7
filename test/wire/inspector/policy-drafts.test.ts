// POST /_emulator/v1/projects/:ref/explain/draft: the verdicts after the owner's statements, without really running them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ANA,
  ana,
  BIA,
  EXPLAINED,
  type ExplainedTenant,
  startExplainedTenant,
} from '../../support/explained-tenant.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: ExplainedTenant
beforeAll(async () => {
  world = await startExplainedTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const identities = [{ kind: 'anon' }, ana, { kind: 'service_role' }]

async function draft(relation: string, sql: string, more: Json = {}): Promise<Json> {
  const body = { relation, command: 'select', identities, sql, ...more }
  const answer = await world.post('/explain/draft', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

const cellsOf = ({ matrix }: Json) =>
  matrix.rows.map(({ cells }: Json) =>
    cells.map(({ allowed, now }: Json) => `${now.allowed ? 1 : 0}${allowed ? 1 : 0}`).join(' '),
  )

const seen = ({ matrix }: Json) => matrix.identities.map(({ sees }: Json) => [sees.now, sees.draft])

describe('a policy draft', () => {
  it('shows the rows that become visible to anon, and leaves the tenant unchanged', async () => {
    const before = (await world.at.call('GET', `${EXPLAINED}/policies`)).body
    const sql = 'create policy everybody on patients for select to anon using (true);'
    const answer = await draft('patients', sql)
    expect(answer.error).toBeNull()
    expect(cellsOf(answer)).toEqual(['01 11 11', '01 00 11', '01 00 11'])
    expect(seen(answer)).toEqual([
      [0, 3],
      [1, 1],
      [3, 3],
    ])
    expect(answer.matrix.rows[0].cells[0]).toMatchObject({
      reason: 'shown by everybody',
      now: { reason: 'hidden: no policy for SELECT' },
    })
    expect((await world.at.call('GET', `${EXPLAINED}/policies`)).body).toEqual(before)
    expect(cellsOf(await draft('patients', ''))).toEqual(['00 11 11', '00 00 11', '00 00 11'])
  })

  it('shows the rows that become hidden', async () => {
    const answer = await draft('patients', 'drop policy own_patients on patients;')
    expect(cellsOf(answer)[0]).toBe('00 11 11')
    const both = 'drop policy own_patients on patients; drop policy of_my_clinic on patients;'
    const closed = await draft('patients', both)
    expect(cellsOf(closed)).toEqual(['00 10 11', '00 00 11', '00 00 11'])
    expect(seen(closed)[1]).toEqual([1, 0])
  })

  it('is evaluated for delete, and for a table without row-level security', async () => {
    const sql = 'alter table patients disable row level security;'
    expect(cellsOf(await draft('patients', sql))).toEqual(['01 11 11', '01 01 11', '01 01 11'])
    expect(cellsOf(await draft('patients', sql, { command: 'delete' }))[1]).toBe('00 01 11')
  })

  it('evaluates subqueries with the drafted policies, so that a recursion shows as an error', async () => {
    const sql = 'alter policy own on members using (exists (select from members m));'
    const { matrix } = await draft('members', sql)
    expect(matrix.rows[0].cells[1]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/infinite recursion/),
    })
    expect(matrix.identities[1].sees).toEqual({ now: 1, draft: null })
  })

  it('shows Postgres’s message when Postgres refuses the SQL, and the position of a syntax error', async () => {
    const start = 'create policy p on patients using ('
    const syntax = await draft('patients', `${start}owner = );`)
    expect(syntax).toMatchObject({
      matrix: null,
      error: { code: '42601', message: 'syntax error at or near ")"', position: start.length + 9 },
    })
    const unknown = await draft('patients', `${start}missing = auth.uid());`)
    expect(unknown).toMatchObject({
      matrix: null,
      error: {
        code: '42703',
        message: 'column "missing" does not exist',
        position: null,
      },
    })
  })

  it('is restricted like all SQL of the owner', async () => {
    const answer = await draft('patients', 'set role postgres;')
    expect(answer).toMatchObject({ matrix: null, error: { code: 'role_change_blocked' } })
  })

  it('returns 404 for a view', async () => {
    const body = { relation: 'all_patients', command: 'select', identities, sql: '' }
    expect((await world.post('/explain/draft', body)).status).toBe(404)
  })

  it('shows who may insert a row, now and with the draft', async () => {
    const insert = (sql: string, new_row: Json) =>
      draft('patients', sql, { command: 'insert', new_row })
    const anas = { id: 4, owner: ANA, clinic: 1 }
    expect(cellsOf(await insert('', anas))).toEqual(['00 11 11'])
    expect(cellsOf(await insert('', { ...anas, owner: BIA }))).toEqual(['00 00 11'])
    const policy = 'create policy new_ones on patients for insert to anon with check (clinic = 1);'
    const sql = `${policy} grant insert on patients to anon;`
    const { matrix } = await insert(sql, anas)
    expect(cellsOf({ matrix })).toEqual(['01 11 11'])
    expect(matrix).toMatchObject({
      total: 3,
      rows: [
        {
          key: {},
          row: { id: '4', owner: ANA, clinic: '1', name: null, age: null },
          cells: [
            {
              reason: 'accepted by new_ones',
              now: { reason: expect.stringMatching(/anon has no INSERT on the table/) },
            },
            {},
            {},
          ],
        },
      ],
    })
    expect(cellsOf(await insert(sql, { ...anas, clinic: 2 }))).toEqual(['00 11 11'])
    const ofColumns = `${policy} grant insert (id, clinic) on patients to anon;`
    expect(cellsOf(await insert(ofColumns, anas))).toEqual(['00 11 11'])
    expect(cellsOf(await insert(ofColumns, { id: 4, clinic: 1 }))).toEqual(['01 00 11'])
  })

  it('evaluates the defaults of a new row for each identity', async () => {
    const made = await world.at.call('POST', `${EXPLAINED}/sql`, {
      body: {
        sql: `create table owned (id int generated always as identity, owner uuid default auth.uid());
          alter table owned enable row level security; grant insert on owned to anon, authenticated;`,
        identity: 'owner',
      },
    })
    expect(made.body.error).toBeNull()
    const sql = 'create policy own on owned for insert with check (owner = auth.uid());'
    const answer = await draft('owned', sql, { command: 'insert', new_row: {} })
    expect(cellsOf(answer)).toEqual(['00 01 11'])
  })

  it('is refused for an insert without a row that Postgres can build', async () => {
    const body = { relation: 'patients', command: 'insert', identities, sql: '' }
    for (const more of [{}, { new_row: { id: 'four' } }, { new_row: { nothing: 1 } }]) {
      const refused = await world.post('/explain/draft', { ...body, ...more })
      expect(refused.status, refused.text).toBe(400)
    }
  })

  it('counts visible rows among the first rows of a large table', async () => {
    const fill = `create table many (id int primary key); alter table many enable row level security;
      insert into many select generate_series(1, 12000); grant select on many to anon, authenticated;`
    const filled = await world.at.call('POST', `${EXPLAINED}/sql`, {
      body: { sql: fill, identity: 'owner' },
    })
    expect(filled.body.error).toBeNull()
    const sql = 'create policy odd on many for select to anon using (id % 2 = 1);'
    const { matrix } = await draft('many', sql, { limit: 2 })
    expect(matrix.total).toBe(12_000)
    expect(matrix.counted).toBeGreaterThan(9_000)
    expect(matrix.counted).toBeLessThan(11_000)
    expect(matrix.identities[0].sees).toEqual({ now: 0, draft: matrix.counted / 2 })
  })
})

describe('templates of policies', () => {
  const templates = (table: string) =>
    world.at.call('GET', `${EXPLAINED}/policies/${table}/templates`)

  it('match the table’s columns, and Postgres accepts each template as a draft', async () => {
    const { body } = await templates('patients')
    expect(body.templates.map(({ title }: Json) => title)).toEqual([
      'Users read their own rows (owner)',
      'Users insert their own rows (owner)',
      'Users read and write their own rows (owner)',
      'Signed-in users read every row',
      'Everyone reads every row',
    ])
    for (const { policy } of body.templates) {
      const clauses = [
        ...(policy.using === null ? [] : [`using (${policy.using})`]),
        ...(policy.check === null ? [] : [`with check (${policy.check})`]),
      ]
      const sql = `create policy ${policy.name} on patients for ${policy.command} to ${policy.roles.join(', ')} ${clauses.join(' ')};`
      expect((await draft('patients', sql)).error).toBeNull()
    }
  })

  it('are not offered for a view or an unknown table', async () => {
    for (const name of ['all_patients', 'nothing']) expect((await templates(name)).status).toBe(404)
  })
})
