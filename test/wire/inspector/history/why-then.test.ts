// The access chain of a refused or empty request is explained with the policies and rows just before the request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../../emulator/contract/explain.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  userToken,
} from '../../../support/test-emulator.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEN = '00000000-0000-4000-8000-00000000000b'
const SCHEMA = `
  create table notes (id integer primary key, owner uuid, body text);
  alter table notes enable row level security;
  create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
  create table teams (id integer primary key, open boolean);
  create table members (team integer, person uuid, primary key (team, person));
  alter table teams enable row level security;
  create policy mine on teams to authenticated
    using (exists (select from members where team = teams.id and person = auth.uid()));
  grant all on notes, teams, members to anon, authenticated`
const BEFORE = 'Explained with the policies and rows just before the request.'

let past: PastTenant
let ana: string
beforeAll(async () => {
  past = await openPastTenant(SCHEMA)
  await past.write('delete from notes')
  ana = await userToken(past.at, 'past', ANA)
})
afterAll(() => past[Symbol.asyncDispose]())

/** Sends a request as Ana. Returns the id of the request. */
async function asAna(method: string, path: string, body?: object): Promise<string> {
  const answer = await past.at.call(method, path, {
    credential: ana,
    headers: { apikey: past.tenant.anonKey },
    ...(body === undefined ? {} : { body }),
  })
  return answer.headers.get('x-request-id') ?? ''
}

async function chainOf(requestId: string, query = ''): Promise<AccessChain> {
  const path = `/_emulator/v1/journal/${requestId}/chain${query}`
  const answer = await past.at.call<AccessChain>('GET', path)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const brokenOf = ({ links }: AccessChain) => links.find(({ state }) => state === 'broken')?.link

describe('the chain of a request is explained with the state just before it, after', () => {
  it('the row got another owner, and names the request that changed it', async () => {
    await past.write(`insert into notes values (1, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.1')
    const change = await past.request('PATCH', '/notes?id=eq.1', { owner: ANA })
    const chain = await chainOf(empty)
    expect(chain).toMatchObject({ as_of: 'request', basis: BEFORE })
    expect(chain.sentence).toMatch(/1 row matches the filter, none visible to/)
    expect(chain.changed_since).toEqual([
      {
        sentence: `The row id=1 of notes belonged to ${BEN} until request ${change}, less than a second later.`,
        request_id: change,
      },
    ])
  })

  it('the row was deleted', async () => {
    await past.write(`insert into notes values (2, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.2')
    const change = await past.request('DELETE', '/notes?id=eq.2')
    const chain = await chainOf(empty)
    expect(chain.sentence).toMatch(/1 row matches the filter, none visible to/)
    expect(chain.changed_since[0]?.sentence).toBe(
      `The row id=2 of notes existed until request ${change} deleted it, less than a second later.`,
    )
  })

  it('the row was created', async () => {
    const empty = await asAna('GET', '/notes?id=eq.3')
    const change = await past.request('POST', '/notes', { id: 3, owner: ANA })
    const chain = await chainOf(empty)
    expect(chain.sentence).toMatch(/No row of notes matches the filter/)
    expect(chain.changed_since[0]).toEqual({
      sentence: `The row id=3 of notes was created by request ${change}, less than a second later.`,
      request_id: change,
    })
  })

  it('the policy was replaced', async () => {
    const refused = await asAna('POST', '/notes', { id: 4, owner: BEN })
    await past.write(
      'drop policy own on notes; create policy anyone on notes using (true) with check (true)',
    )
    const chain = await chainOf(refused)
    expect(chain).toMatchObject({ as_of: 'request', status: 403 })
    expect(brokenOf(chain)).toBe('row')
    expect(chain.sentence).toMatch(/The new row is refused for .*own/)
    expect(chain.changed_since).toEqual([
      {
        sentence: expect.stringMatching(
          /^The policies of notes changed less than a second later by request req_\w+\.$/,
        ),
        request_id: expect.stringMatching(/^req_/),
      },
    ])
    await past.write(`drop policy anyone on notes;
      create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid())`)
  })

  it('the missing grant was given', async () => {
    await past.write('revoke select on notes from authenticated')
    const refused = await asAna('GET', '/notes')
    await past.write('grant select on notes to authenticated')
    const chain = await chainOf(refused)
    expect(brokenOf(chain)).toBe('grant')
    expect(chain.changed_since).toEqual([
      {
        sentence: expect.stringMatching(/^The grants on notes changed less than a second later by/),
        request_id: expect.stringMatching(/^req_/),
      },
    ])
    expect(chain.suggested_fix).toBeNull()
  })

  it('a table changed that the policy reads', async () => {
    await past.write('insert into teams values (1, true)')
    const empty = await asAna('GET', '/teams')
    const change = await past.request('POST', '/members', { team: 1, person: ANA })
    const chain = await chainOf(empty)
    expect(chain.sentence).toMatch(/1 row exists, none visible to/)
    expect(chain.changed_since).toEqual([
      {
        sentence: `Rows of members, which a policy reads, changed less than a second later by request ${change}.`,
        request_id: change,
      },
    ])
  })

  it('row-level security was forced, which also hides rows from the owner', async () => {
    await past.write('alter table notes force row level security')
    await past.request('POST', '/notes', { id: 10, owner: BEN })
    const empty = await asAna('GET', '/notes?id=eq.10')
    const change = await past.request('PATCH', '/notes?id=eq.10', { owner: ANA })
    const chain = await chainOf(empty)
    await past.write('alter table notes no force row level security')
    expect(chain.sentence).toMatch(/1 row matches the filter, none visible to/)
    expect(chain.changed_since.map(({ request_id: id }) => id)).toEqual([change])
  })

  it('only columns changed that decide nothing, which it does not list', async () => {
    await past.write(`insert into notes values (5, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.5')
    await past.request('PATCH', '/notes?id=eq.5', { body: 'second' })
    expect(await chainOf(empty)).toMatchObject({
      as_of: 'request',
      basis: BEFORE,
      changed_since: [],
    })
  })

  it('nothing changed, and says so', async () => {
    await past.write(`insert into notes values (6, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.6')
    const chain = await chainOf(empty)
    expect(chain).toMatchObject({
      as_of: 'request',
      basis: `${BEFORE} No row and no policy has changed since.`,
      changed_since: [],
    })
    expect(chain.sentence).toMatch(/1 row matches the filter, none visible to/)
  })
})

describe('the chain of a request', () => {
  it('is explained with the present state on demand', async () => {
    await past.write(`insert into notes values (7, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.7')
    await past.request('DELETE', '/notes?id=eq.7')
    const chain = await chainOf(empty, '?as_of=now')
    expect(chain).toMatchObject({ as_of: 'now', basis: null, changed_since: [] })
    expect(chain.sentence).toMatch(/No row of notes matches the filter/)
  })

  it('says for agents what changed since', async () => {
    await past.write(`insert into notes values (8, '${BEN}', 'first')`)
    const empty = await asAna('GET', '/notes?id=eq.8')
    await past.request('PATCH', '/notes?id=eq.8', { owner: ANA })
    const params = { name: 'why_refused', arguments: { request_id: empty } }
    const answer = await past.at.call('POST', '/_emulator/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    })
    expect(answer.text).toContain(`The row id=8 of notes belonged to ${BEN} until request`)
  })

  it('is the same while the platform’s clock is frozen', async () => {
    const clock = (body: object) => past.at.call('POST', '/_emulator/v1/clock', { body })
    await clock({ freeze: true })
    await past.request('POST', '/notes', { id: 9, owner: BEN })
    const empty = await asAna('GET', '/notes?id=eq.9')
    const change = await past.request('PATCH', '/notes?id=eq.9', { owner: ANA })
    const chain = await chainOf(empty)
    await clock({ resume: true })
    expect(chain.sentence).toMatch(/1 row matches the filter, none visible to/)
    expect(chain.changed_since.map(({ request_id: id }) => id)).toEqual([change])
  })
})

it('a chain of a request before a restored snapshot is explained with today’s state, and says so', async () => {
  await using own = await openPastTenant(SCHEMA)
  await own.write(`insert into notes values (1, '${BEN}', 'first')`)
  await own.at.call('POST', '/_emulator/v1/snapshots', { body: { name: 'early' } })
  const { anonKey } = own.tenant
  const sent = { credential: anonKey, headers: { apikey: anonKey } }
  const empty = await own.at.call('GET', '/notes', sent)
  const restored = await own.at.call('POST', '/_emulator/v1/snapshots/early/restore')
  expect(restored.status).toBe(200)
  const path = `/_emulator/v1/journal/${empty.headers.get('x-request-id')}/chain`
  expect((await own.at.call<AccessChain>('GET', path)).body).toMatchObject({
    as_of: 'now',
    basis:
      'Explained with today’s policies and rows, because another state of the platform was restored since.',
  })
})

it('a chain without a history is explained with today’s state, and says so', async () => {
  await using at = await startTestEmulator()
  const tenant = await provisionTenant(
    at,
    await createGroup(at, 'vendor', { sql: SCHEMA }),
    'present',
  )
  const headers = { apikey: tenant.anonKey }
  const credential = await userToken(at, 'present', ANA)
  const answer = await at.call('GET', '/notes', { credential, headers })
  const path = `/_emulator/v1/journal/${answer.headers.get('x-request-id')}/chain`
  expect((await at.call<AccessChain>('GET', path)).body).toMatchObject({
    as_of: 'now',
    basis:
      'Explained with today’s policies and rows, because this emulator does not record row changes.',
    changed_since: [],
  })
})
