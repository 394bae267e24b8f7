// /_emulator/v1/projects/:ref/explain and related routes: every reason, every kind of condition, and no change of data.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ANA,
  ana,
  BIA,
  type ExplainedTenant,
  startExplainedTenant,
} from '../../support/explained-tenant.ts'
import { patiently } from '../../support/patience.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: ExplainedTenant
beforeAll(async () => {
  world = await startExplainedTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const post = (path: string, body: Json) => world.post(path, body)
const explain = (relation: string, more?: Json) => world.explain(relation, more)

describe('rows under policies', () => {
  it('are explained while statements create, alter and drop the table', async () => {
    const run = (sql: string) => post('/sql', { sql, identity: 'owner' })
    let isDone = false
    const statuses = new Set<number>()
    const order = { relation: 'passing', command: 'select' }
    const identity = { kind: 'anon' }
    const calls = [
      ['/explain', { ...order, identity }],
      ['/explain/matrix', { ...order, identities: [identity] }],
      ['/explain/draft', { ...order, identities: [identity], sql: '' }],
      ['/audit', {}],
    ] as const
    const readers = calls.map(async ([path, body]) => {
      while (!isDone) {
        statuses.add((await post(path, body)).status)
      }
    })
    for (let turn = 0; turn < 25; turn += 1) {
      await run('create table passing (id int primary key); grant select on passing to anon')
      await run('alter table passing add column more int')
      await run('alter table passing drop column more')
      await run('drop table passing')
    }
    isDone = true
    await Promise.all(readers)
    expect([...statuses].filter((status) => status >= 500)).toEqual([])
  })

  it('can have columns named like built-in members of JavaScript objects', async () => {
    const { rows } = await explain('odd', { command: 'update', new_row: { id: 2 } })
    expect(rows[0]).toMatchObject({ allowed: true, new_row: { id: '2', constructor: '3' } })
    const missing = await post('/explain/matrix', {
      relation: 'odd',
      command: 'select',
      identities: [ana],
      keys: [{ constructor: '3' }],
    })
    expect(missing.body.error.message).toBe(
      'The request is not valid. keys.0: a key of odd has to name id.',
    )
  })

  it('are not evaluated for every identity when the evaluation for one identity is too slow', async () => {
    const identities = Array.from({ length: 20 }, () => ana)
    const { body } = await post('/explain/matrix', {
      relation: 'slow',
      command: 'select',
      identities,
    })
    expect(body.duration_ms).toBeLessThan(patiently(12_000))
    expect(body.rows[0].cells[19]).toEqual({
      allowed: false,
      reason: 'error: evaluating the policies takes too long',
    })
  })

  it('are shown or hidden as in Postgres, each with its deciding policy', async () => {
    const { table, rows, total, allowed_total: allowed } = await explain('patients')
    expect(table.verdict).toBe('policies_decide')
    expect({ total, allowed }).toEqual({ total: 3, allowed: 1 })
    expect(rows.map((row: Json) => [row.key.id, row.allowed, row.deciding])).toEqual([
      ['1', true, ['own_patients', 'no_two']],
      ['2', false, ['own_patients', 'of_my_clinic']],
      ['3', false, ['own_patients', 'of_my_clinic']],
    ])
    expect(rows[0].reason).toBe('shown by own_patients')
    expect(rows[1].row).toEqual({ id: '2', owner: BIA, clinic: '2', name: 'Eva', age: '20' })
  })

  it('name the deciding condition and its compared values', async () => {
    const { rows } = await explain('patients', { keys: [{ id: '3' }] })
    const [clause] = rows[0].clauses
    const ofClinic = clause.policies.find(({ name }: Json) => name === 'of_my_clinic')
    expect(ofClinic.tree).toMatchObject({
      kind: 'and',
      value: 'false',
      children: [
        {
          kind: 'leaf',
          value: 'true',
          decided: false,
          note: 'the subquery finds 1 row as this identity',
        },
        {
          kind: 'not',
          value: 'false',
          decided: true,
          children: [
            {
              text: 'age < 35',
              operator: '<',
              value: 'true',
              decided: true,
              operands: [
                { text: 'age', value: '30', from: 'row' },
                { text: '35', value: '35', from: 'constant' },
              ],
            },
          ],
        },
      ],
    })
    const own = clause.policies.find(({ name }: Json) => name === 'own_patients')
    expect(own.tree).toMatchObject({
      value: 'null',
      operands: [
        { text: 'owner', value: null, from: 'row' },
        { text: 'auth.uid()', value: ANA, from: 'identity' },
      ],
    })
  })

  it('are explained for every kind of condition', async () => {
    const { rows } = await explain('kinds')
    expect(rows[0].allowed).toBe(true)
    const leaves = leavesOf(rows[0].clauses[0].policies[0].tree)
    expect(
      leaves.map(({ operator, operands }: Json) => [operator, operands.map((o: Json) => o.value)]),
    ).toEqual([
      ['= ANY', ['a', '{a,b}']],
      ['?', ['{"k": 1}', 'k']],
      ['IS NULL', [null]],
      ['>', ['2026-01-02', '2026-01-01']],
      ['= ANY', ['authenticated', '{authenticated,anon}']],
      [null, []],
      ['>=', ['1', '1']],
      ['<=', ['1', '3']],
      [null, ['n1', 'n']],
      ['IS NOT NULL', [null]],
    ])
  })

  it('are filtered, ordered and paged, and counted across all pages', async () => {
    const page = await explain('patients', {
      filters: [{ column: 'clinic', operator: 'eq', value: '1' }],
      order: [{ column: 'name' }],
      limit: 1,
      detail: 'verdicts',
    })
    expect(page).toMatchObject({
      total: 2,
      allowed_total: 1,
      rows: [{ key: { id: '3' }, clauses: [] }],
    })
  })

  it('are shown for claims of any shape', async () => {
    const as = (identity: Json) => explain('patients', { identity })
    const claims = { kind: 'claims', role: 'authenticated', claims: { sub: BIA } }
    expect(await as(claims)).toMatchObject({ allowed_total: 1, identity: { subject: BIA } })
    expect((await as({ kind: 'service_role' })).table.verdict).toBe('bypasses_policies')
    expect((await as({ kind: 'anon' })).table.verdict).toBe('no_policy')
  })
})

describe('a table as a whole', () => {
  it.each([
    ['open', 'rls_off', /row-level security is off/i],
    ['shut', 'no_policy', /no permissive policy of shut/],
    ['for_anon', 'no_policy', /p allows it for anon only/],
    ['ungranted', 'missing_grant', /permission denied for table ungranted/],
    ['auth_users', 'closed_table', /platform/],
    ['nothing', 'unknown_relation', /no table or view nothing/],
    ['all_patients', 'view', /rights of its owner.*policies of patients/],
    ['my_patients', 'view', /security_invoker/],
    ['endless', 'error', /infinite recursion/],
    ['placed', 'error', /permission denied for table ungranted/],
    ['slow', 'error', /too long/],
  ])(
    'named %s has the verdict %s',
    async (relation, verdict, sentence) => {
      const { table } = await explain(relation)
      expect(table.verdict).toBe(verdict)
      expect(table.sentence).toMatch(sentence)
    },
    20_000,
  )

  it('comes with its column grants, and with a suggested fix for a missing grant', async () => {
    const partly = await explain('partly')
    expect(partly.table.grants).toEqual(['SELECT (id)'])
    expect(partly.rows[0].allowed).toBe(true)
    const ungranted = await explain('ungranted')
    expect(ungranted.table.suggested_fix).toBe('grant select on "ungranted" to authenticated;')
  })

  it('can be a view, which shows the rows that the identity would read', async () => {
    const rows = async (view: string) => (await explain(view)).rows.map((row: Json) => row.row.id)
    expect(await rows('all_patients')).toHaveLength(3)
    expect(await rows('my_patients')).toEqual(['1'])
  })
})

describe('the number of rows that an identity sees', () => {
  // The table has more rows than one answer lists, and the last rows are Ana’s.
  beforeAll(async () => {
    const sql = `create table long (id int primary key, owner uuid); alter table long enable row level security;
      create policy own on long to authenticated using (owner = auth.uid());
      insert into long select n, case when n > 20000 then '${ANA}'::uuid end from generate_series(1, 30000) as n;`
    expect((await post('/sql', { sql, identity: 'owner' })).status).toBe(200)
  })

  it('is exact, even when only some rows are listed', async () => {
    const { rows, total, allowed_total: allowed } = await explain('long', { limit: 10 })
    expect({ listed: rows.length, total, allowed }).toEqual({
      listed: 10,
      total: 30_000,
      allowed: 10_000,
    })
  })

  it('counts the rows that match the filters', async () => {
    const filters = [{ column: 'id', operator: 'lte', value: '20005' }]
    expect(await explain('long', { limit: 10, filters })).toMatchObject({
      total: 20_005,
      allowed_total: 5,
    })
  })

  it('is absent for a DELETE of more rows than the emulator evaluates', async () => {
    const deleting = await explain('long', { limit: 10, command: 'delete' })
    expect([deleting.total, deleting.allowed_total]).toEqual([30_000, undefined])
  })
})

describe('the explanation of rows', () => {
  it('covers the other rows when a policy raises an error for some rows', async () => {
    const { rows } = await explain('raising')
    expect(rows.map((row: Json) => [row.key.id, row.allowed, row.clauses[0].value])).toEqual([
      ['1', true, 'true'],
      ['2', false, 'error'],
      ['3', true, 'true'],
    ])
    const [leaf] = leavesOf(rows[1].clauses[0].policies[0].tree).filter(({ decided }) => decided)
    expect(leaf).toMatchObject({ text: '(10 / n) > 1', value: 'error', error: 'division by zero' })
  })

  it('is evaluated by Postgres when a policy reads system columns', async () => {
    const { rows, allowed_total: allowed } = await explain('systemic')
    expect(rows.map((row: Json) => [row.key.id, row.allowed, row.reason])).toEqual([
      ['1', true, 'shown'],
      ['2', false, 'hidden'],
    ])
    expect(allowed).toBe(1)
  })

  it('refuses a policy that writes, and leaves no written row behind', async () => {
    const { rows } = await explain('writing')
    expect(rows[0]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/read-only transaction/),
    })
    expect((await explain('open')).total).toBe(0)
  })
})

function leavesOf(tree: Json): Json[] {
  return tree.kind === 'leaf' ? [tree] : tree.children.flatMap(leavesOf)
}
