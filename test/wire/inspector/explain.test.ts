// /_emulator/v1/projects/:ref/explain and its neighbours: every reason, every kind of leaf, nothing changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const BIA = '00000000-0000-4000-8000-00000000000b'

const TABLES = `
create table members (clinic int, uid uuid, primary key (clinic, uid));
alter table members enable row level security;
create policy own on members for select to authenticated using (uid = auth.uid());
insert into members values (1, '${ANA}'), (2, '${BIA}');

create table patients (id int primary key, owner uuid, clinic int, name text, age int);
insert into patients values (1, '${ANA}', 1, 'Rui', 40), (2, '${BIA}', 2, 'Eva', 20), (3, null, 1, 'Ivo', 30);
alter table patients enable row level security;
create policy own_patients on patients to authenticated using (owner = auth.uid());
create policy of_my_clinic on patients for select to authenticated
  using (exists (select from members m where m.clinic = patients.clinic and m.uid = auth.uid()) and not age < 35);
create policy no_two on patients as restrictive for select to authenticated using (id <> 2 or name = 'Eva');

create table open (id int primary key);
create table shut (id int primary key); alter table shut enable row level security;
insert into shut values (1);
create table for_anon (id int primary key); alter table for_anon enable row level security;
create policy p on for_anon for select to anon using (true);
create table ungranted (id int primary key); alter table ungranted enable row level security;
create policy p on ungranted using (true); revoke all on ungranted from authenticated;
create table partly (id int primary key, secret text); alter table partly enable row level security;
create policy p on partly using (true); revoke all on partly from authenticated;
grant select (id) on partly to authenticated; insert into partly values (1, 's');
create table endless (id int primary key); alter table endless enable row level security;
create policy p on endless using (exists (select from endless e where e.id = endless.id));
create table raising (id int primary key, n int); insert into raising values (1, 1), (2, 0), (3, 5);
alter table raising enable row level security;
create policy p on raising using (n is not null and 10 / n > 1);
create table writing (id int primary key); insert into writing values (1);
create function leave_a_trace() returns boolean language plpgsql as $$ begin insert into open values (9); return true; end $$;
alter table writing enable row level security; create policy p on writing using (leave_a_trace());
create table slow (id int primary key); insert into slow values (1);
alter table slow enable row level security; create policy p on slow using (pg_sleep(20) is null);
create table placed (id int primary key); insert into placed values (1);
alter table placed enable row level security;
create policy p on placed using (exists (select from ungranted));
create table systemic (id int primary key); insert into systemic values (1), (2);
alter table systemic enable row level security;
create policy p on systemic using (tableoid > 0 and id = 1);
create table odd (id int primary key, constructor int not null default 3, "__proto__" int); insert into odd values (1);
alter table odd enable row level security; create policy p on odd using (constructor = 3);
create view all_patients as select * from patients;
create view my_patients with (security_invoker = true) as select * from patients;
create table kinds (id int primary key, tags text[], data jsonb, flag boolean, day date default '2026-01-02');
insert into kinds values (1, '{a,b}', '{"k": 1}', null);
alter table kinds enable row level security;
create policy p on kinds using (
  'a' = any (tags) and data ? 'k' and flag is null and day > '2026-01-01'
  and (auth.jwt() ->> 'role') in ('authenticated', 'anon')
  and (case when id = 1 and flag is null then true end)
  and id between 1 and 3 and starts_with(name_of(id), 'n') and not (flag is not null));
`

let at: TestEmulator
let tenant: TestTenant

beforeAll(async () => {
  at = await startTestEmulator()
  const sql = `create function name_of(int) returns text language sql as 'select ''n'' || $1'; ${TABLES}`
  const group = await createGroup(at, 'explained', { sql })
  tenant = await provisionTenant(at, group, 'acme')
}, 60_000)
afterAll(() => at[Symbol.asyncDispose]())

const base = `/_emulator/v1/projects/explained`
const post = (path: string, body: Json) => at.call('POST', `${base}${path}`, { body })
const ana = { kind: 'user', user: ANA }

async function explain(relation: string, more: Json = {}): Promise<Json> {
  const order = { relation, identity: ana, command: 'select', ...more }
  const answer = await post('/explain', order)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

describe('rows under policies', () => {
  it('may have columns that every object of the host language has', async () => {
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

  it('too slow for one identity are not asked again for each', async () => {
    const identities = Array.from({ length: 20 }, () => ana)
    const { body } = await post('/explain/matrix', {
      relation: 'slow',
      command: 'select',
      identities,
    })
    expect(body.duration_ms).toBeLessThan(12_000)
    expect(body.rows[0].cells[19]).toEqual({
      allowed: false,
      reason: 'error: evaluating the policies takes too long',
    })
  }, 20_000)

  it('are shown or hidden as Postgres would, each with its deciding policy', async () => {
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

  it('name the deciding leaf and its compared values', async () => {
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

  it('cover every kind of leaf', async () => {
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

  it('are filtered, ordered and paged as the inspector sees them', async () => {
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

  it('are seen through claims of any make', async () => {
    const as = (identity: Json) => explain('patients', { identity })
    const claims = { kind: 'claims', role: 'authenticated', claims: { sub: BIA } }
    expect(await as(claims)).toMatchObject({ allowed_total: 1, identity: { subject: BIA } })
    expect((await as({ kind: 'service_role' })).table.verdict).toBe('bypasses_policies')
    expect((await as({ kind: 'anon' })).table.verdict).toBe('no_policy')
  })
})

function leavesOf(tree: Json): Json[] {
  return tree.kind === 'leaf' ? [tree] : tree.children.flatMap(leavesOf)
}

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
    '%s says %s',
    async (relation, verdict, sentence) => {
      const { table } = await explain(relation)
      expect(table.verdict).toBe(verdict)
      expect(table.sentence).toMatch(sentence)
    },
    20_000,
  )

  it('names the grants of columns and the suggested fix for a missing one', async () => {
    const partly = await explain('partly')
    expect(partly.table.grants).toEqual(['SELECT (id)'])
    expect(partly.rows[0].allowed).toBe(true)
    const ungranted = await explain('ungranted')
    expect(ungranted.table.suggested_fix).toBe('grant select on "ungranted" to authenticated;')
  })

  it('reads a view as the identity would', async () => {
    const rows = async (view: string) => (await explain(view)).rows.map((row: Json) => row.row.id)
    expect(await rows('all_patients')).toHaveLength(3)
    expect(await rows('my_patients')).toEqual(['1'])
  })
})

describe('policies that misbehave', () => {
  it('that raise for some rows leave the others explained', async () => {
    const { rows } = await explain('raising')
    expect(rows.map((row: Json) => [row.key.id, row.allowed, row.clauses[0].value])).toEqual([
      ['1', true, 'true'],
      ['2', false, 'error'],
      ['3', true, 'true'],
    ])
    const [leaf] = leavesOf(rows[1].clauses[0].policies[0].tree).filter(({ decided }) => decided)
    expect(leaf).toMatchObject({ text: '(10 / n) > 1', value: 'error', error: 'division by zero' })
  })

  it('that name what only stored rows have are left to Postgres', async () => {
    const { rows, allowed_total: allowed } = await explain('systemic')
    expect(rows.map((row: Json) => [row.key.id, row.allowed, row.reason])).toEqual([
      ['1', true, 'shown'],
      ['2', false, 'hidden'],
    ])
    expect(allowed).toBe(1)
  })

  it('that write are refused and leave nothing behind', async () => {
    const { rows } = await explain('writing')
    expect(rows[0]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/read-only transaction/),
    })
    expect((await explain('open')).total).toBe(0)
  })
})

describe('writes', () => {
  it('of an UPDATE evaluate the old row and the new one', async () => {
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

  it('of an INSERT evaluate the check with defaults filled in', async () => {
    const { rows } = await explain('kinds', { command: 'insert', new_row: { id: 7, tags: ['z'] } })
    expect(rows[0]).toMatchObject({
      allowed: false,
      new_row: { id: '7', tags: '{z}', day: '2026-01-02' },
      reason: expect.stringMatching(
        /^refused by p: 'a'::text = ANY|refused by p: a = ANY tags is false/,
      ),
    })
  })

  it('of a DELETE report that a hidden row is skipped', async () => {
    const { rows } = await explain('patients', { command: 'delete', keys: [{ id: '2' }] })
    expect(rows[0]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/^refused by own_patients/),
    })
    expect(rows[0].sentence).toMatch(/skips the row without an error/)
  })

  it('with values that make no row are refused as a request', async () => {
    const body = { relation: 'patients', identity: ana, command: 'insert', new_row: { id: 'x' } }
    const answer = await post('/explain', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })
})

describe('the matrix', () => {
  it('sets rows against identities', async () => {
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
    expect(body.rows[1].cells[0].reason).toBe('hidden: none of 2 policies allows it')
  })
})

describe('policies and identities', () => {
  it('are listed with what looks like a mistake', async () => {
    const { body } = await at.call('GET', `${base}/policies`)
    const warnings = Object.fromEntries(
      body.tables.map((table: Json) => [table.name, table.warnings.map(({ code }: Json) => code)]),
    )
    expect(warnings).toMatchObject({
      open: ['rls_off_reachable_by_anon'],
      shut: ['rls_on_no_policy'],
      patients: ['realtime_cannot_evaluate'],
      for_anon: ['always_true'],
      partly: ['policy_without_role', 'always_true'],
      all_patients: ['view_bypasses_policies'],
      my_patients: [],
      auth_users: [],
    })
  })

  it('are the keys and the newest users', async () => {
    await at.call('POST', '/auth/v1/signup', {
      headers: { apikey: tenant.anonKey },
      body: { email: 'cai@x.test', password: 'A-long-passphrase-1' },
    })
    const { body } = await at.call('GET', '/_emulator/v1/projects/acme/identities')
    expect(body.identities.map(({ label }: Json) => label)).toEqual([
      'anon',
      'service_role',
      'cai@x.test',
    ])
  })

  it('of unknown projects, users and requests are not found', async () => {
    const unknown = await at.call('GET', '/_emulator/v1/projects/none/policies')
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

  it('of an unknown user is reported before an error of the rows', async () => {
    const filters = [{ column: 'none', operator: 'eq', value: '1' }]
    const nobody = { kind: 'user', user: 'x@x' }
    const both = await post('/explain', {
      relation: 'open',
      identity: nobody,
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
  }, 20_000)

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
