// `tenantry audit`: what identities see, findings with their proofs, other tenants' data, and exit codes.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import {
  createGroup,
  executeSql,
  expectStatus,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
let at: TestEmulator
let left: TestTenant

const TEMPLATE = `
create table notes (id int primary key, owner uuid, body text);
create table prices (id int primary key, amount int);
alter table notes enable row level security;
alter table prices enable row level security;
create policy owners_read on notes for select to authenticated using (owner = auth.uid());
create policy all_read on prices for select using (true);
comment on policy all_read on prices is E'Shop window.\\ntenantry: allow policy-always-true prices are public';`
const ROWS = `insert into notes values (1, null, 'secret'), (2, null, 'other');
insert into prices values (1, 100)`

beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'audited', { sql: TEMPLATE })
  left = await provisionTenant(at, group, 'left')
  await provisionTenant(at, group, 'right')
  await exec(ROWS)
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

function audit(...args: readonly string[]): Promise<Ended> {
  return runCli(['audit', '--url', at.url, ...args]).ended
}

/** Audits `left`, and runs the command of a finding with the variables that `tenantry env` prints. */
async function auditAndSend(
  command: RegExp,
  ...args: readonly string[]
): Promise<Ended & { readonly output: string }> {
  const ended = await audit('--tenant', 'left', ...args)
  const env = await runCli(['env', '--url', at.url, '--tenant', 'left', '--format', 'shell']).ended
  const script = `${env.stdout}\n${command.exec(ended.stdout)?.[1]}`
  return { ...ended, output: (await run('/bin/sh', ['-c', script])).stdout }
}

async function auditOf(tenant: string, body: unknown = {}): Promise<Json> {
  const answer = await at.call('POST', `/_emulator/v1/projects/${tenant}/audit`, { body })
  expectStatus(answer, 200)
  return answer.body
}

async function exec(sql: string): Promise<void> {
  const answer = await executeSql(at, left, sql)
  if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
}

/** Runs SQL in the tenant `left` before the work, and afterwards the SQL that undoes it. */
async function during<Result>(
  sql: string,
  undo: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await exec(sql)
  try {
    return await work()
  } finally {
    await exec(undo)
  }
}

const findingsOf = (report: Json): Json[] =>
  report.findings.map(({ rule, severity, accepted }: Json) => ({ rule, severity, accepted }))

describe('tenantry audit', () => {
  it('ends with exit code 0 when every finding is accepted, and prints what each identity sees', async () => {
    const { code, stdout } = await audit()
    expect(stdout).toMatch(/^left: 2 tables × 3 identities, 6 cells in \d+ ms\n/)
    expect(stdout).toMatch(/\n {2}notes \(2\) +none +none +all\n {2}prices \(1\) +all +all +all\n/)
    expect(stdout).toContain(
      '\n  accepted  policy-always-true  policy all_read on prices: prices are public\n',
    )
    expect(stdout).toMatch(/\nleft → right: 0 of \d+ cells with access, \d+ attempts\n/)
    expect(stdout).toMatch(/\nright → left: 0 of \d+ cells with access, \d+ attempts\n/)
    expect(stdout).toMatch(/\n0 errors, 0 warnings, 1 accepted\.\n$/)
    expect(code).toBe(0)
  })

  it('ends with exit code 1 for a leak, and prints a leaked row and the request that reads it', async () => {
    const { code, output, stdout } = await during(
      'alter table notes disable row level security',
      'alter table notes enable row level security',
      () => auditAndSend(/^ {4}(curl .*)$/m),
    )
    expect(code).toBe(1)
    expect(stdout).toContain('\n  error  row-security-missing  The table notes has no row-level')
    expect(stdout).toContain('\n    proof: anon reads {"id":"1","owner":null,"body":"secret"}\n')
    expect(stdout).toContain('\n    The variables are those of "tenantry env --tenant left".\n')
    expect(stdout).not.toMatch(/\bey[\w-]{20}/)
    expect(JSON.parse(output)).toEqual([{ id: 1, owner: null, body: 'secret' }])
  })

  it('reports a recursive policy only once when several tables depend on it', async () => {
    const loops = `create policy loops on notes for select to authenticated
      using (exists (select from notes as n)); create table drafts (id int);
      alter table drafts enable row level security;
      create policy by_note on drafts for select to authenticated
      using (exists (select from notes)); grant select on drafts to authenticated`
    const undo = 'drop table drafts; drop policy loops on notes'
    const { stdout } = await during(loops, undo, () => audit())
    expect(stdout).not.toContain('policy-fails')
    expect(stdout).toMatch(
      /\n {2}error {2}policy-recursion {2}Policies lead back to themselves, so SELECT on notes fails with 42P17: loops on notes reads notes\.\n {4}tenants: left; tables: notes, drafts\n {4}proof: the request of new user is answered with 500\n/,
    )
    expect(stdout).toMatch(/\n1 error, \d warnings?, 1 accepted\.\n$/)
  })

  it('warns of policies that realtime cannot evaluate, and of foreign keys without an index', async () => {
    const sql = `create table teams (id int primary key, lead uuid); alter table teams enable row level security;
      create table posts (id int primary key, team int references teams); alter table posts enable row level security;
      insert into teams values (1); insert into posts select n, 1 from generate_series(1, 500) as n;
      create policy lead on teams to authenticated using (lead = auth.uid());
      create policy of_lead on posts to authenticated using (exists (select from teams where teams.id = posts.team))`
    const { code, stdout } = await during(sql, 'drop table posts, teams', () =>
      audit('--tenant', 'left'),
    )
    expect(stdout).toMatch(
      /\n {2}warning {2}realtime-cannot-judge {2}The policy of_lead on posts reads teams\. /,
    )
    expect(stdout).toMatch(
      /\n {2}warning {2}unindexed-foreign-key {2}.* posts \(team\), .* In left, a comparison reads 500 rows in \d+\.\d\d ms\.\n/,
    )
    expect(stdout).toContain('safer: CREATE INDEX ON posts (team);')
    expect(code).toBe(0)
  })

  it('shows what the platform’s rules let each identity do with the files of each bucket', async () => {
    const payload = Buffer.from(left.anonKey.split('.')[1] ?? '', 'base64url').toString()
    const path = `/platform/v1/projects/${JSON.parse(payload).project_id}/buckets`
    for (const body of [{ name: 'papers' }, { name: 'avatars', public: true }])
      expectStatus(await at.call('POST', path, { credential: at.session, body }), 201)
    const { stdout } = await audit('--tenant', 'left')
    expect(stdout).toMatch(/\n {2}bucket proj_left_avatars \(public\) +read +read, write +all\n/)
    expect(stdout).toMatch(/\n {2}bucket proj_left_papers +none +read, write +all\n/)
    const { buckets } = await auditOf('left')
    expect(buckets.map(({ access }: Json) => access)).toEqual([
      ['read', 'write', 'administer'],
      ['none', 'write', 'administer'],
    ])
  })

  it('fails for warnings only with --fail-on warning', async () => {
    const copies = 'create materialized view copies as select * from notes where body is null'
    const [lenient, strict] = await during(copies, 'drop materialized view copies', () =>
      Promise.all([
        audit('--tenant', 'left', '--json'),
        audit('--tenant', 'left', '--fail-on', 'warning'),
      ]),
    )
    expect(lenient.code).toBe(0)
    expect(JSON.parse(lenient.stdout)).toMatchObject({
      ok: true,
      errors: 0,
      warnings: 1,
      accepted: 1,
      tenants: [
        {
          tenant: 'left',
          cells: 9,
          findings: [
            {
              rule: 'grant-to-anon',
              severity: 'warning',
              proof: null,
              no_proof: 'No example row: anon sees no row of copies.',
            },
            { rule: 'policy-always-true', accepted: 'prices are public' },
          ],
        },
      ],
      crossings: [],
    })
    expect(strict.code).toBe(1)
  })

  it('reports identities that see more than in the baseline', async () => {
    const file = join(folder.path, 'audit.json')
    expect(await audit('--tenant', 'left', '--write-baseline', file)).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      left: {
        notes: {
          anon: '0',
          'new user': '0',
          service_role: expect.stringMatching(/^2: \w{8} \w{8}$/),
        },
      },
    })
    const { code, output, stdout } = await during(
      'alter policy owners_read on notes using (owner is null and id = 2)',
      'alter policy owners_read on notes using (owner = auth.uid())',
      () => auditAndSend(/^ {4}(TOKEN=.*)$/m, '--baseline', file),
    )
    expect(JSON.parse(output)).toEqual([{ id: 2, owner: null, body: 'other' }])
    expect(stdout).toContain('  error  sees-more  new user sees 1 row of notes; it was 0 rows.')
    expect(stdout).toContain('\n    proof: new user reads {"id":"2","owner":null,"body":"other"}\n')
    expect(stdout).toContain('/notes?id=eq.2&limit=1')
    expect(code).toBe(1)
  })

  it('names an unknown tenant in the error message', async () => {
    const { code, stderr } = await audit('--tenant', 'nobody')
    expect(stderr).toContain('There is no project nobody.')
    expect(code).toBe(1)
  })
})

describe('POST /projects/:ref/audit', () => {
  it.each<[string, string, string, Json]>([
    [
      'a view that reads with its owner’s rights',
      'create view all_notes as select * from notes',
      'drop view all_notes',
      { rule: 'view-skips-policies', severity: 'error', accepted: null },
    ],
    [
      'a materialised view that anon may read',
      'create materialized view copies as select * from notes',
      'drop materialized view copies',
      { rule: 'grant-to-anon', severity: 'warning', accepted: null },
    ],
    [
      'a security-definer function without search_path',
      "create function secrets() returns int language sql security definer as 'select 1'",
      'drop function secrets()',
      { rule: 'definer-search-path', severity: 'warning', accepted: null },
    ],
    [
      'a table with row-level security and without policies',
      'create table quiet (id int); alter table quiet enable row level security',
      'drop table quiet',
      { rule: 'no-policy', severity: 'warning', accepted: null },
    ],
    [
      'a policy that calls itself',
      'create policy loops on notes for select using (exists (select from notes as n))',
      'drop policy loops on notes',
      { rule: 'policy-recursion', severity: 'error', accepted: null },
    ],
    [
      'a policy that is true for everybody, although its text is not',
      'create policy any_body on notes for select to anon using (body is not null)',
      'drop policy any_body on notes',
      { rule: 'open-to-everybody', severity: 'warning', accepted: null },
    ],
    [
      'a policy that lets everybody write',
      'create policy any_writer on notes for insert with check (true)',
      'drop policy any_writer on notes',
      { rule: 'policy-always-true', severity: 'error', accepted: null },
    ],
  ])('finds %s', async (_, sql, undo, finding) => {
    const findings = findingsOf(await during(sql, undo, () => auditOf('left')))
    expect(findings).toContainEqual(finding)
    expect(findings).toHaveLength(2)
  })

  it('counts a large table in parts', async () => {
    const sql = `create table many (id int primary key); alter table many enable row level security;
      create policy thirds on many for select to anon using (id % 3 = 0);
      create policy few on many for select to authenticated using (id % 100 = 0);
      insert into many select * from generate_series(1, 3000)`
    const { tables } = await during(sql, 'drop table many', () => auditOf('left'))
    const { cells, total } = tables.find(({ name }: Json) => name === 'many')
    expect(total).toBe(3_000)
    expect(cells.map(({ rows, seen }: Json) => [rows, seen])).toEqual([
      [1_000, 'some'],
      [30, 'some'],
      [3_000, 'all'],
    ])
    expect(cells.map(({ baseline }: Json) => baseline)).toEqual([
      expect.stringMatching(/^1000: [\da-f]{1,16}$/),
      expect.stringMatching(/^30:( [\da-f]{8}){30}$/),
      expect.stringMatching(/^3000: [\da-f]{1,16}$/),
    ])
  })

  it.each([
    ['a table', ''],
    [
      'a partitioned table',
      `partition by range (id);
       create table many_first partition of many for values from (0) to (1500);
       create table many_second partition of many for values from (1500) to (4000)`,
    ],
  ])('counts the rows of %s by kind with the same result as row by row', async (_, partitions) => {
    const cellsFor = async (condition: string) => {
      const sql = `create table many (id int primary key, kind int) ${partitions};
        alter table many enable row level security;
        create policy low_kinds on many using (${condition});
        insert into many select n, n % 7 from generate_series(1, 3000) as n`
      const { tables } = await during(sql, 'drop table many', () => auditOf('left'))
      return tables.find(({ name }: Json) => name === 'many').cells
    }
    const byKind = await cellsFor('kind < 2')
    expect(byKind.map(({ rows, seen }: Json) => [rows, seen])).toEqual([
      [857, 'some'],
      [857, 'some'],
      [3_000, 'all'],
    ])
    // A policy that reads the key has to be evaluated for every row, because no two rows are alike.
    expect(await cellsFor('kind < 2 and id > 0')).toEqual(byKind)
  })

  it('calls a security-definer function that anon may execute', async () => {
    const sql = `create function secrets() returns setof notes language sql stable security definer
      set search_path from current as 'select * from notes'`
    const report = await during(sql, 'drop function secrets()', () => auditOf('left'))
    expect(report.findings[0]).toMatchObject({
      rule: 'grant-to-anon',
      proof: { identity: 'anon', status: 200, row: { id: '1', body: 'secret' } },
    })
  })

  it('proves each finding with a request that can be repeated', async () => {
    const view = 'create view all_notes as select * from notes'
    const row = await during(view, 'drop view all_notes', async () => {
      const { proof } = (await auditOf('left')).findings[0]
      const headers = Object.fromEntries(
        [...proof.curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
      )
      return (await fetch(proof.url, { headers })).json()
    })
    expect(row).toEqual([{ id: 1, owner: null, body: 'secret' }])
  })

  it('refuses to compare a tenant with itself', async () => {
    const path = '/_emulator/v1/projects/left/audit/crossings'
    expect((await at.call('POST', path, { body: { other: 'left' } })).status).toBe(400)
  })
})
