// /_emulator/v1/projects/:ref/explain for writes, its matrix and its tables: which identity may do what.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ana,
  BIA,
  EXPLAINED,
  type ExplainedTenant,
  startExplainedTenant,
} from '../../support/explained-tenant.ts'
import { createGroup, type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: ExplainedTenant
beforeAll(async () => {
  world = await startExplainedTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const post = (path: string, body: Json) => world.post(path, body)
const explain = (relation: string, more?: Json) => world.explain(relation, more)

describe('the explanation of a write', () => {
  it('evaluates the old row and the new row of an UPDATE', async () => {
    const { rows } = await explain('patients', {
      command: 'update',
      keys: [{ id: '1' }],
      new_row: { owner: BIA },
    })
    expect(rows[0]).toMatchObject({ allowed: false, new_row: { owner: BIA, name: 'Rui' } })
    expect(
      rows[0].clauses.map((clause: Json) => [
        clause.clause,
        clause.command,
        clause.of,
        clause.allowed,
      ]),
    ).toEqual([
      ['using', 'update', 'old_row', true],
      ['using', 'select', 'old_row', true],
      ['check', 'update', 'new_row', false],
      ['using', 'select', 'new_row', true],
    ])
    expect(rows[0].sentence).toMatch(/42501/)
  })

  it('evaluates the check of an INSERT with column defaults filled in', async () => {
    const { rows } = await explain('kinds', { command: 'insert', new_row: { id: 7, tags: ['z'] } })
    expect(rows[0]).toMatchObject({
      allowed: false,
      new_row: { id: '7', tags: '{z}', day: '2026-01-02' },
      reason: expect.stringMatching(
        /^refused by p: 'a'::text = ANY|refused by p: a = ANY tags is false/,
      ),
    })
  })

  it('reports that a DELETE skips a hidden row', async () => {
    const { rows } = await explain('patients', { command: 'delete', keys: [{ id: '2' }] })
    expect(rows[0]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/^refused by own_patients/),
    })
    expect(rows[0].sentence).toMatch(/skips the row without an error/)
  })

  it('is refused with 400 when a value does not fit its column', async () => {
    const body = { relation: 'patients', identity: ana, command: 'insert', new_row: { id: 'x' } }
    const answer = await post('/explain', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })
})

describe('the matrix', () => {
  it('shows for each row which identities may read the row', async () => {
    const { body } = await post('/explain/matrix', {
      relation: 'patients',
      command: 'select',
      identities: [ana, { kind: 'user', user: BIA }, { kind: 'anon' }, { kind: 'service_role' }],
    })
    expect(body.rows.map((row: Json) => row.cells.map((cell: Json) => cell.allowed))).toEqual([
      [true, false, false, true],
      [false, true, false, true],
      [false, false, false, true],
    ])
    expect(body.rows[1].cells[0].reason).toBe('hidden: none of 2 policies for SELECT allows it')
  })
})

describe('the lists of policies and identities', () => {
  it('show each table with the open findings of the audit', async () => {
    const { body } = await world.at.call('GET', `${EXPLAINED}/policies`)
    const warnings = Object.fromEntries(
      body.tables.map((table: Json) => [table.name, table.warnings.map(({ code }: Json) => code)]),
    )
    expect(warnings).toMatchObject({
      open: ['rls_off_reachable_by_anon'],
      shut: ['rls_on_no_policy'],
      patients: ['realtime_cannot_evaluate'],
      for_anon: ['always_true'],
      partly: ['always_true'],
      all_patients: ['view_bypasses_policies'],
      my_patients: [],
      auth_users: [],
    })
  })

  it('name the same risks as the audit, by the same rules', async () => {
    const sql = `
      create table teams (id int primary key);
      create table notes (id int primary key, team int references teams, body text);
      alter table notes enable row level security;
      create policy everybody on notes for select using (true);
      create policy of_team on notes for update to authenticated
        using (exists (select from teams where teams.id = notes.team));
      create table shut (id int primary key); alter table shut enable row level security;
      create view all_notes as select * from notes;
      create function of_owner() returns int language sql security definer as 'select 1';`
    const group = await createGroup(world.at, 'alike', { sql })
    await provisionTenant(world.at, group, 'twin')
    const audit = await world.at.call('POST', `/_emulator/v1/projects/twin/audit`, { body: {} })
    const { body } = await world.at.call('GET', `/_emulator/v1/projects/twin/policies`)
    const listed = [
      ...body.tables.flatMap(({ warnings }: Json) => warnings),
      ...body.function_warnings,
    ]
    const lines = listed.map((one: Json) => `${one.severity} ${one.rule} ${one.object}`)
    expect(lines.toSorted()).toEqual(
      audit.body.findings
        .map((one: Json) => `${one.severity} ${one.rule} ${one.object}`)
        .toSorted(),
    )
    expect(new Set(listed.map(({ rule }: Json) => rule))).toEqual(
      new Set([
        'row-security-missing',
        'policy-always-true',
        'no-policy',
        'view-skips-policies',
        'definer-search-path',
        'unindexed-foreign-key',
      ]),
    )
    expect(listed.find(({ rule }: Json) => rule === 'view-skips-policies').suggested_fix).toBe(
      'alter view "all_notes" set (security_invoker = true);',
    )
  })

  it('contain the keys and the newest users', async () => {
    await world.at.call('POST', '/auth/v1/signup', {
      headers: { apikey: world.tenant.anonKey },
      body: { email: 'cai@x.test', password: 'A-long-passphrase-1' },
    })
    const { body } = await world.at.call('GET', '/_emulator/v1/projects/acme/identities')
    expect(body.identities.map(({ label }: Json) => label)).toEqual([
      'anon',
      'service_role',
      'cai@x.test',
    ])
  })

  it('answer 404 for unknown projects, users and requests', async () => {
    const unknown = await world.at.call('GET', '/_emulator/v1/projects/none/policies')
    const user = await post('/explain', {
      relation: 'open',
      identity: { kind: 'user', user: 'x@x' },
      command: 'select',
    })
    const request = await post('/explain', {
      relation: 'open',
      identity: { kind: 'request', request_id: 'no' },
      command: 'select',
    })
    expect([unknown.status, user.status, request.status]).toEqual([404, 404, 404])
  })

  it('report an unknown user before an unknown column', async () => {
    const filters = [{ column: 'none', operator: 'eq', value: '1' }]
    const unknown = { kind: 'user', user: 'x@x' }
    const both = await post('/explain', {
      relation: 'open',
      identity: unknown,
      command: 'select',
      filters,
    })
    expect(both).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    const rows = await post('/explain', {
      relation: 'open',
      identity: ana,
      command: 'select',
      filters,
    })
    expect(rows).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })
})

describe('what an identity can read of every table', () => {
  it('is all, some, none, refused, empty or unknown, with numbers of rows', async () => {
    const { body, status } = await post('/explain/tables', { identity: ana })
    expect(status).toBe(200)
    const found = new Map(
      body.tables.map((table: Json) => [table.name, [table.reads, table.visible, table.total]]),
    )
    expect(Object.fromEntries(found)).toMatchObject({
      patients: ['some', 1, 3],
      members: ['some', 1, 2],
      all_patients: ['all', 3, 3],
      my_patients: ['some', 1, 3],
      partly: ['all', 1, 1],
      open: ['empty', 0, 0],
      shut: ['none', 0, 1],
      for_anon: ['none', 0, 0],
      systemic: ['some', 1, 2],
      ungranted: ['refused', null, null],
      auth_users: ['refused', null, null],
      raising: ['unknown', null, null],
      slow: ['unknown', null, null],
    })
    const sentences = new Map(body.tables.map((table: Json) => [table.name, table.sentence]))
    expect(sentences.get('raising')).toBe(
      'Postgres cannot count raising: division by zero (SQLSTATE 22012).',
    )
    expect(sentences.get('slow')).toBe('Counting slow took too long.')
  })

  it('is everything for service_role, except tables of the platform', async () => {
    const { body } = await post('/explain/tables', { identity: { kind: 'service_role' } })
    const refused = body.tables.filter(({ reads }: Json) => reads === 'refused')
    expect(refused.every(({ name }: Json) => name.startsWith('auth_'))).toBe(true)
    expect(body.tables.find(({ name }: Json) => name === 'shut')).toMatchObject({
      reads: 'all',
      visible: 1,
    })
  })
})
