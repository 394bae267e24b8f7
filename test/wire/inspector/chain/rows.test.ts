// The access chain of REST requests whose broken link is a grant, a policy, a row or the request itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestChain } from '../../../support/chain.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../../support/test-emulator.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEN = '00000000-0000-4000-8000-00000000000b'
const SQL = `
  create table notes (id int primary key, owner uuid, body text, size int check (size < 10));
  create table ungranted (id int primary key);
  create table silent (id int primary key);
  create table written (id int primary key, owner uuid);
  create table looped (id int primary key);
  insert into notes values (1, '${BEN}', 'one', 1), (2, '${BEN}', 'two', 2), (3, '${BEN}', 'three', 3);
  insert into ungranted values (1);
  insert into silent values (1);
  revoke all on ungranted from anon, authenticated;
  grant all on notes, silent, written, looped to anon, authenticated;
  alter table notes enable row level security;
  alter table ungranted enable row level security;
  create policy everybody_reads on ungranted for select using (true);
  alter table silent enable row level security;
  alter table written enable row level security;
  alter table looped enable row level security;
  create policy own_rows on notes for all to authenticated using (owner = auth.uid());
  create policy anyone_writes on written for insert to authenticated with check (true);
  create policy loop on looped for select to authenticated using (exists (select from looped));
`

let at: TestEmulator
let tenant: TestTenant
let ana: string

beforeAll(async () => {
  at = await startTestEmulator({ journalBodies: 'always' })
  const group = await createGroup(at, 'vendor', { sql: SQL })
  tenant = await provisionTenant(at, group, 'shop')
  // Inserts the rows also into the tenant, because a clone does not contain the template's rows.
  const { project_id: id } = claimsOf(tenant.anonKey)
  const inserts = SQL.split('\n').filter((line) => line.includes('insert into'))
  await at.call('POST', `/platform/v1/projects/${id}/db/exec`, {
    credential: at.session,
    body: { sql: inserts.join('\n') },
  })
  ana = await userToken(at, 'shop', ANA)
})
afterAll(() => at.emulator.close())

const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

async function chainOf(
  method: string,
  path: string,
  { token = ana, body, headers = {} }: { token?: string; body?: Json; headers?: Json } = {},
) {
  const answer = await at.call('GET', '/_emulator/v1/health')
  expect(answer.status).toBe(200)
  await at.call(method, `/rest/v1${path}`, {
    credential: token,
    headers: { apikey: tenant.anonKey, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return newestChain(at)
}

const because = (broken: string, sentence: RegExp) => ({
  broken,
  sentence: expect.stringMatching(sentence),
})

describe('the chain of an empty answer explains', () => {
  it('rows that a policy hides, with their number and the policy', async () => {
    const chain = await chainOf('GET', '/notes')
    expect(chain).toMatchObject({
      status: 200,
      ...because('row', /3 rows exist, none visible to .*own_rows/),
      stateOf: { credential: 'holds', grant: 'holds', policy: 'holds', row: 'broken' },
      explain: { relation: 'notes', command: 'select', identity: { kind: 'claims' } },
    })
    expect(chain.suggested_fix).toBeNull()
    expect(chain.sentence).toMatch(/owner of this row does not name /)
  })

  it('a filter that matches no row, and blames no policy', async () => {
    expect(await chainOf('GET', '/notes?id=eq.99')).toMatchObject(
      because('row', /No row of notes matches the filter. Policies are not the reason/),
    )
  })

  it('a filter that matches only a hidden row', async () => {
    expect(await chainOf('GET', '/notes?id=eq.2')).toMatchObject({
      ...because('row', /1 row matches the filter, none visible/),
      explain: { filters: [{ column: 'id', operator: 'eq', value: '2' }] },
    })
  })

  it('a table without a policy', async () => {
    const chain = await chainOf('GET', '/silent')
    expect(chain).toMatchObject(because('policy', /no permissive policy/))
    expect(chain.suggested_fix).toBeNull()
    expect(chain.sentence).toMatch(/Nothing in silent, .* names a user/)
  })

  it('an update and a delete of rows that a policy hides', async () => {
    const body = { body: 'x' }
    const headers = { prefer: 'return=representation' }
    expect(await chainOf('PATCH', '/notes?id=eq.1', { body, headers })).toMatchObject(
      because('row', /none changeable by/),
    )
    expect(await chainOf('DELETE', '/notes?id=eq.1', { headers })).toMatchObject(
      because('row', /none deletable by/),
    )
  })

  it('a 406 for one object that a policy hides', async () => {
    expect(
      await chainOf('GET', '/notes?id=eq.1', {
        headers: { accept: 'application/vnd.pgrst.object+json' },
      }),
    ).toMatchObject({ status: 406, ...because('row', /1 row matches the filter, none visible/) })
  })

  it('a 406 for one object when several rows match', async () => {
    expect(
      await chainOf('GET', '/notes', {
        token: tenant.serviceRoleKey,
        headers: { accept: 'application/vnd.pgrst.object+json' },
      }),
    ).toMatchObject({
      status: 406,
      ...because('row', /The request asked for one object, and 3 of 3/),
    })
  })
})

describe('the chain of an error 42501 explains', () => {
  it('a missing grant, with the GRANT statement as the suggested fix', async () => {
    expect(await chainOf('GET', '/ungranted')).toMatchObject({
      status: 403,
      ...because('grant', /no SELECT/),
      suggested_fix: 'grant select on "ungranted" to authenticated;',
    })
  })

  it('a missing grant for an anonymous request', async () => {
    expect(await chainOf('GET', '/ungranted', { token: tenant.anonKey })).toMatchObject({
      status: 401,
      ...because('grant', /anon has no SELECT/),
      suggested_fix: 'grant select on "ungranted" to anon;',
    })
  })

  it('a missing grant without a suggested fix, because no policy would allow the row', async () => {
    expect(
      await chainOf('POST', '/ungranted', { token: tenant.anonKey, body: { id: 2 } }),
    ).toMatchObject({
      status: 401,
      ...because(
        'grant',
        /With the grant, policies refuse next: no permissive policy of ungranted allows anon to INSERT\./,
      ),
      suggested_fix: null,
    })
  })

  it('a closed table of the platform', async () => {
    expect(await chainOf('GET', '/auth_users')).toMatchObject({ broken: expect.any(String) })
  })

  it('a new row that a policy’s check refuses', async () => {
    const chain = await chainOf('POST', '/notes', { body: { id: 10, owner: BEN } })
    expect(chain).toMatchObject({
      status: 403,
      ...because('row', /new row is refused.*own_rows/),
      explain: { command: 'insert', new_row: { id: 10, owner: BEN } },
    })
    expect(chain.suggested_fix).toBeNull()
    expect(chain.sentence).toMatch(/Send the id of the signed-in user in owner\./)
  })

  it('an update whose new row is refused', async () => {
    await at.call('POST', '/rest/v1/notes', {
      credential: ana,
      headers: { apikey: tenant.anonKey },
      body: { id: 20, owner: ANA },
    })
    expect(await chainOf('PATCH', '/notes?id=eq.20', { body: { owner: BEN } })).toMatchObject({
      status: 403,
      ...because('row', /own_rows/),
    })
    await at.call('DELETE', '/rest/v1/notes?id=eq.20', {
      credential: ana,
      headers: { apikey: tenant.anonKey },
    })
  })

  it('a written row that the user may not read back', async () => {
    expect(
      await chainOf('POST', '/written', {
        body: { id: 1, owner: ANA },
        headers: { prefer: 'return=representation' },
      }),
    ).toMatchObject({ status: 403, ...because('row', /Leave \.select\(\) out/) })
  })
})

describe('the chain of another request explains', () => {
  it.each([
    ['a table that does not exist', 'GET', '/nowhere', undefined, 'request', /no such table/],
    ['a column that does not exist', 'GET', '/notes?nope=eq.1', undefined, 'request', /column/],
    ['a malformed query', 'GET', '/notes?id=foo', undefined, 'request', /cannot be parsed/],
    ['a value of another type', 'GET', '/notes?id=eq.x', undefined, 'request', /type/],
    ['a function that does not exist', 'POST', '/rpc/nope', {}, 'request', /No function/],
    ['a body that is not JSON', 'POST', '/notes', '{', 'request', /JSON/],
    [
      'a missing relationship for an embed',
      'GET',
      '/notes?select=*,silent(*)',
      undefined,
      'request',
      /foreign key/,
    ],
    ['a unique violation', 'POST', '/notes', { id: 1, owner: ANA }, 'row', /unique value/],
    ['a check constraint', 'POST', '/notes', { id: 30, owner: ANA, size: 99 }, 'row', /check/],
    ['endless recursion', 'GET', '/looped', undefined, 'policy', /.{20}/],
  ] as const)('%s', async (_what, method, path, body, link, words) => {
    expect(await chainOf(method, path, body === undefined ? {} : { body })).toMatchObject(
      because(link, words),
    )
  })

  it('a successful request, without a broken link', async () => {
    expect(await chainOf('GET', '/notes', { token: tenant.serviceRoleKey })).toMatchObject({
      broken: null,
      sentence: expect.stringMatching(/All checks passed.*3 rows/),
    })
  })
})
