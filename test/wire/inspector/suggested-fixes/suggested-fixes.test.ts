// POST /_emulator/v1/projects/:ref/explain/suggested-fixes. Each applied fix reverses the verdict, and exposes the stated number
// of other rows. The route applies nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestChain } from '../../../support/chain.ts'
import type {
  SuggestedFix,
  SuggestedFixes,
  SuggestedFixesRequest,
} from '../../../support/inspector-wire.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../../support/test-emulator.ts'
import { workerEmulator } from '../../../support/worker-emulator.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEN = '00000000-0000-4000-8000-00000000000b'

let at: TestEmulator
let tenant: TestTenant
let projectId: string

beforeAll(async () => {
  at = await workerEmulator()
  tenant = await provisionTenant(at, await createGroup(at, 'vendor'), 'shop')
  projectId = JSON.parse(
    Buffer.from(tenant.anonKey.split('.')[1] ?? '', 'base64url').toString(),
  ).project_id
})
afterAll(() => at[Symbol.asyncDispose]())

async function execute(sql: string): Promise<Json> {
  const answer = await at.call('POST', `/platform/v1/projects/${projectId}/db/exec`, {
    credential: at.session,
    body: { sql },
  })
  if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
  return answer.body
}

async function fixesFor(request: SuggestedFixesRequest): Promise<readonly SuggestedFix[]> {
  return (await answerFor(request)).suggested_fixes
}

async function answerFor(request: SuggestedFixesRequest): Promise<SuggestedFixes> {
  const answer = await at.call('POST', '/_emulator/v1/projects/shop/explain/suggested-fixes', {
    body: request,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Returns the keys of `t` that the identity may access, from explanations, which other tests compare with Postgres. */
async function allowedIds({
  relation,
  identity,
  command,
  new_row,
}: SuggestedFixesRequest): Promise<string[]> {
  const answer = await at.call('POST', '/_emulator/v1/projects/shop/explain', {
    body: { relation, identity, command, detail: 'verdicts', ...(new_row && { new_row }) },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.rows
    .filter(({ allowed }: Json) => allowed)
    .map(({ key }: Json) => key.id)
    .sort()
}

interface Case {
  readonly name: string
  readonly sql: string
  readonly request: Partial<SuggestedFixesRequest>
  /** Kinds of changes that the fixes must contain. */
  readonly offers: readonly SuggestedFix['changes'][]
  /** Matches the advice. Without it, the answer must have no advice. */
  readonly advice?: RegExp
  readonly claims?: Json
}

const TABLE = `
  drop table if exists t;
  create table t (id int primary key, owner uuid, clinic text, open boolean, who uuid);
  insert into t values (1, '${BEN}', 'a', false, '${ANA}'), (2, '${BEN}', 'b', false, '${BEN}'), (3, '${BEN}', 'a', false, null),
    (4, '${ANA}', 'a', true, '${ANA}');`
const GRANTED = `${TABLE} grant all on t to anon, authenticated; alter table t enable row level security;`
const OWN = `${GRANTED} create policy own_rows on t for all to authenticated using (owner = auth.uid());`

const CASES: readonly Case[] = [
  {
    name: 'a missing grant',
    sql: `${TABLE} revoke all on t from authenticated; alter table t enable row level security;
      create policy own_rows on t for select to authenticated using (who = auth.uid());`,
    request: {},
    offers: ['grant'],
  },
  {
    name: 'a missing grant, and no policy behind it',
    sql: `${TABLE} revoke all on t from authenticated; alter table t enable row level security;`,
    request: {},
    offers: ['policy'],
  },
  {
    name: 'a missing grant on a table without row-level security',
    sql: `${TABLE} revoke all on t from authenticated;`,
    request: {},
    offers: ['policy'],
  },
  {
    name: 'no policy, a column that is the identity',
    sql: GRANTED,
    request: {},
    offers: ['policy'],
  },
  {
    name: 'no policy for anon',
    sql: GRANTED,
    request: { identity: { kind: 'anon' } },
    offers: [],
    advice: /everybody with the public key/,
  },
  {
    name: 'a leaf that compares with the user',
    sql: OWN,
    request: {},
    offers: ['policy', 'row', 'claims'],
  },
  {
    name: 'a leaf that compares with a claim',
    sql: `${GRANTED} create policy clinic on t for select to authenticated using (clinic = (auth.jwt() ->> 'clinic'));`,
    request: {},
    offers: ['policy', 'row', 'claims'],
    claims: { clinic: 'b' },
  },
  {
    name: 'a nested claim',
    sql: `${GRANTED} create policy clinic on t for select to authenticated using (clinic = (auth.jwt() -> 'app_metadata' ->> 'clinic'));`,
    request: {},
    offers: ['policy', 'row', 'claims'],
    claims: { app_metadata: { clinic: 'z' } },
  },
  {
    name: 'a restrictive policy',
    sql: `${GRANTED} create policy all_rows on t for select to authenticated using (true);
      create policy only_open on t as restrictive for select to authenticated using (open);`,
    request: {},
    offers: ['policy'],
  },
  {
    name: 'a restrictive and a permissive policy',
    sql: `${OWN} create policy b_only on t as restrictive for all to authenticated using (clinic = 'b');`,
    request: {},
    offers: ['policy'],
  },
  {
    name: 'a policy of other roles',
    sql: `${GRANTED} create policy p on t for select to anon using (true);`,
    request: {},
    offers: ['policy'],
  },
  { name: 'an update', sql: OWN, request: { command: 'update' }, offers: ['policy', 'row'] },
  {
    name: 'an update with its new row',
    sql: OWN,
    request: { command: 'update', new_row: { clinic: 'c' } },
    offers: ['policy', 'row'],
  },
  { name: 'a delete', sql: OWN, request: { command: 'delete' }, offers: ['policy', 'row'] },
  {
    name: 'an update that is refused by its check',
    sql: `${GRANTED} create policy s on t for select to authenticated using (true);
      create policy u on t for update to authenticated using (true) with check (owner = auth.uid());`,
    request: { command: 'update', new_row: { clinic: 'c' } },
    offers: ['policy', 'row'],
  },
  {
    name: 'an insert',
    sql: OWN,
    request: { command: 'insert', key: {}, new_row: { id: 9, owner: BEN, clinic: 'a' } },
    offers: [],
    advice: /^Every policy .* Send the id of the signed-in user in owner\./,
  },
  {
    name: 'an insert without a policy',
    sql: `${GRANTED} create policy s on t for select to authenticated using (true);`,
    request: { command: 'insert', key: {}, new_row: { id: 9, owner: ANA, clinic: 'a' } },
    offers: ['policy'],
  },
  {
    name: 'names and values that need quotes',
    sql: `drop table if exists t; create table t (id int primary key, "Own""er" text); insert into t values (1, 'O''Neil'), (2, 'x');
      grant all on t to authenticated; alter table t enable row level security;
      create policy "my ""rows""" on t for all to authenticated using ("Own""er" = (auth.jwt() ->> 'na''me'));`,
    request: {},
    offers: ['row', 'claims'],
    advice: /Nothing in t, /,
    claims: { "na'me": 'x' },
  },
]

const requestOf = ({ request, claims = {} }: Case): SuggestedFixesRequest => ({
  relation: 't',
  identity: {
    kind: 'claims',
    role: 'authenticated',
    claims: { role: 'authenticated', sub: ANA, ...claims },
  },
  command: 'select',
  key: { id: '1' },
  ...request,
})

describe.each(CASES)('$name', (one) => {
  it('offers fixes that reverse the verdict and allow the stated number of rows, narrowest fix first', async () => {
    await execute(one.sql)
    const request = requestOf(one)
    const before = request.command === 'insert' ? [] : await allowedIds(request)
    const { advice, suggested_fixes: offered } = await answerFor(request)
    expect(offered.map(({ changes }) => changes)).toEqual(expect.arrayContaining([...one.offers]))
    if (one.advice === undefined) expect(advice).toBeNull()
    else expect(advice).toMatch(one.advice)
    const cells = offered.map(({ effect }) => effect.cells ?? Number.POSITIVE_INFINITY)
    expect(cells).toEqual([...cells].sort((a, b) => a - b))
    if (request.command !== 'insert') expect(await allowedIds(request)).toEqual(before)
    for (const fix of offered) {
      await execute(one.sql)
      const after = await allowedIds(await applied(fix, request))
      if (request.command === 'insert') expect(after, fix.sql).toHaveLength(1)
      else {
        expect(after, fix.sql).toContain('1')
        const others = after.filter((id) => id !== '1' && !before.includes(id))
        expect(others, fix.sql).toHaveLength(fix.exposes_rows ?? 0)
      }
    }
  })
})

/** Applies the fix as the project's owner. A fix of claims changes the identity instead. */
async function applied(
  { sql, changes }: SuggestedFix,
  request: SuggestedFixesRequest,
): Promise<SuggestedFixesRequest> {
  if (changes !== 'claims') {
    await execute(sql)
    return request
  }
  const json = /'request\.jwt\.claims', '(.*)', true\);$/s.exec(sql)?.[1]?.replaceAll("''", "'")
  return {
    ...request,
    identity: { kind: 'claims', role: 'authenticated', claims: JSON.parse(json ?? '') },
  }
}

it('offers no fix for a row that is allowed', async () => {
  await execute(OWN)
  expect(await fixesFor({ ...requestOf({ request: {} } as Case), key: { id: '4' } })).toEqual([])
})

it('returns the row to a real request after the smallest fix was applied', async () => {
  await execute(OWN)
  const token = (
    await at.call('POST', '/_emulator/v1/principals', {
      body: { project: 'shop', role: 'authenticated', user: ANA },
    })
  ).body.token
  const read = async () =>
    (
      await at.call('GET', '/rest/v1/t?select=id&order=id', {
        credential: token,
        headers: { apikey: tenant.anonKey },
      })
    ).body
  expect(await read()).toEqual([{ id: 4 }])
  const offered = await fixesFor(requestOf({ request: {} } as Case))
  await execute(offered.find(({ changes }) => changes === 'policy')?.sql ?? '')
  expect(await read()).toContainEqual({ id: 1 })
})

it('reports changed values in a view without a key, and no gained access', async () => {
  await execute(
    `${OWN} create view book as select owner, clinic from t; grant select on book to authenticated;`,
  )
  try {
    const offered = await fixesFor(requestOf({ request: {} } as Case))
    const fix = offered.find(({ changes }) => changes === 'row')
    expect(fix?.effect.opens_to).toBe('asker')
    expect(fix?.effect.sentence).toMatch(
      /No other compared identity gains access\. .*Changes what /,
    )
    const ofBook = fix?.effect.changes.filter(({ table }) => table === 'book') ?? []
    expect(ofBook.length).toBeGreaterThan(1)
    for (const change of ofBook) expect(change).toMatchObject({ gained: 0, lost: 0, changed: 1 })
  } finally {
    await execute('drop view book')
  }
})

it('returns 404 for an unknown key or an unknown table', async () => {
  await execute(OWN)
  const path = '/_emulator/v1/projects/shop/explain/suggested-fixes'
  const request = requestOf({ request: {} } as Case)
  const missing = await at.call('POST', path, { body: { ...request, key: { id: '77' } } })
  expect(missing.status).toBe(404)
  const nowhere = await at.call('POST', path, { body: { ...request, relation: 'nowhere' } })
  expect(nowhere.status).toBe(404)
})

it('answers at the path of earlier releases', async () => {
  await execute(OWN)
  const request = requestOf({ request: {} } as Case)
  // cspell:ignore mend mends
  const answer = await at.call('POST', '/_emulator/v1/projects/shop/explain/mends', {
    body: request,
  })
  expect(answer.body.mends).toEqual(await fixesFor(request))
})

it('returns the SQL under the member name of earlier releases', async () => {
  await execute(`drop table if exists t cascade; create table t (id int primary key);
    revoke select on t from anon;`)
  const project = '/_emulator/v1/projects/shop'
  const request = { relation: 't', identity: { kind: 'anon' }, command: 'select' }
  const { table } = (await at.call('POST', `${project}/explain`, { body: request })).body
  expect(table.suggested_fix).toMatch(/^grant select on "t" to anon;$/m)
  expect(table.mend).toBe(table.suggested_fix)

  const { tables } = (await at.call('GET', `${project}/policies`)).body
  const [warning] = tables.find(({ name }: Json) => name === 't').warnings
  expect(warning.suggested_fix).toMatch(/enable row level security/)
  expect(warning.mend).toBe(warning.suggested_fix)

  await at.call('GET', '/rest/v1/t', {
    credential: tenant.anonKey,
    headers: { apikey: tenant.anonKey },
  })
  const chain = await newestChain(at)
  expect(chain).toHaveProperty('mend', chain.suggested_fix)
})
