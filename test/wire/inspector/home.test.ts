// GET /_emulator/v1/home: problems grouped by cause, and the requests since the last change (contract/home.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Home, Problem } from '../../../emulator/contract/home.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const OTHER = '00000000-0000-4000-8000-00000000000b'
const SQL = `
  create table notes (id int primary key, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert on notes to authenticated;
  create table closed (id int primary key);
  alter table closed enable row level security;
  revoke all on closed from authenticated;`
const API = '/_emulator/v1'

let at: TestEmulator
let tenants: readonly TestTenant[]
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'clinic', { sql: SQL })
  tenants = [await provisionTenant(at, group, 'north'), await provisionTenant(at, group, 'south')]
})
afterAll(() => at[Symbol.asyncDispose]())

const home = async (query = ''): Promise<Home> =>
  (await at.call<Home>('GET', `${API}/home${query}`)).body

async function ask(tenant: TestTenant, method: string, path: string, body?: object) {
  const credential = await userToken(at, tenant.slug, USER)
  return at.call(method, path, {
    credential,
    headers: { apikey: tenant.anonKey },
    ...(body && { body }),
  })
}

const insert = (tenant: TestTenant, id: number, owner: string) =>
  ask(tenant, 'POST', '/notes', { id, owner })

function find(problems: readonly Problem[], part: Partial<Problem>): readonly Problem[] {
  return problems.filter((problem) =>
    Object.entries(part).every(([name, value]) => problem[name as keyof Problem] === value),
  )
}

const [north, south] = [() => tenants[0] as TestTenant, () => tenants[1] as TestTenant]

describe('GET /home', () => {
  it('groups equal refusals of many requests, and separates tenants and routes', async () => {
    for (let id = 0; id < 40; id += 1) expect((await insert(north(), id, OTHER)).status).toBe(403)
    await insert(south(), 1, OTHER)
    await ask(north(), 'GET', '/closed?id=eq.1')
    await ask(north(), 'GET', '/closed?id=eq.2')
    const { problems, requests } = await home()
    expect(
      find(problems, { code: '42501' }).map(({ count, tenants: of, where }) => [where, of, count]),
    ).toEqual(
      expect.arrayContaining([
        ['POST /notes', ['north'], 40],
        ['POST /notes', ['south'], 1],
        ['GET /closed', ['north'], 2],
      ]),
    )
    expect(requests.refused).toBe(
      problems.filter(({ kind }) => kind !== 'slow').reduce((sum, { count }) => sum + count, 0),
    )
  })

  it('names the deciding policy, and links to the newest request', async () => {
    await insert(north(), 41, OTHER)
    const path = `${API}/journal?refused=true&schema_name=${north().schemaName}&limit=1`
    const id = (await at.call('GET', path)).body.entries[0].request_id
    await at.call('GET', `${API}/journal/${id}/chain`)
    const [found] = find((await home()).problems, {
      code: '42501',
      where: 'POST /notes',
      count: 41,
    })
    expect(found).toMatchObject({
      kind: 'refusal',
      status: 403,
      see: { at: 'request', request_id: id },
      state: { is: 'happening' },
    })
    expect(found?.cause).toContain('own_notes')
    expect((found?.first_seen ?? '') <= (found?.last_seen ?? '')).toBe(true)
  })

  it('reports that a refusal has not occurred since the structure changed, and that the route succeeded', async () => {
    await executeSql(at, south(), 'alter policy own_notes on notes with check (true)')
    const refusal = async () =>
      find((await home()).problems, { kind: 'refusal', where: 'POST /notes' }).find(
        ({ tenants: of }) => of.includes('south'),
      )
    expect((await refusal())?.state).toMatchObject({
      is: 'gone',
      change: 'structure',
      succeeded_at: null,
    })
    expect((await insert(south(), 1, OTHER)).status).toBe(201)
    expect((await refusal())?.state).toMatchObject({ is: 'gone', succeeded_at: expect.any(String) })
    const rank = { happening: 0, quiet: 1, gone: 2 }
    const ranks = (await home()).problems.map(({ state }) => rank[state.is])
    expect(ranks).toEqual(ranks.toSorted())
  })

  it('separates refusals of one route by a missing grant and by a policy', async () => {
    await ask(south(), 'POST', '/closed', { id: 1 })
    await executeSql(at, south(), 'grant insert on closed to authenticated')
    await ask(south(), 'POST', '/closed', { id: 1 })
    const causes = find((await home()).problems, { code: '42501', where: 'POST /closed' })
    expect(causes.map(({ cause, count }) => [count, cause])).toEqual(
      expect.arrayContaining([
        [1, expect.stringContaining('permission denied')],
        [1, expect.stringContaining('policy')],
      ]),
    )
  })

  it('names the path of a request that matches no route', async () => {
    await at.call('GET', '/auth/v1/nowhere')
    expect(find((await home()).problems, { where: 'GET /auth/v1/nowhere' })).toMatchObject([
      { status: 404, count: 1 },
    ])
  })

  it('groups the refusals of one credential over all routes', async () => {
    for (const path of ['/notes?a=1', '/closed?a=1', '/notes?a=2'])
      await at.call('GET', path, { credential: 'nonsense', headers: { apikey: 'nonsense' } })
    const found = find((await home()).problems, { status: 401, where: null })
    expect(found.map(({ count }) => count)).toEqual([3])
  })

  it('separates refused credentials by the reason of the refusal', async () => {
    const { anonKey } = north()
    for (const credential of ['nonsense', `${anonKey}x`])
      await at.call('GET', '/notes', { credential, headers: { apikey: anonKey } })
    const found = find((await home()).problems, { status: 401, where: 'GET /notes' })
    expect(found.map(({ count }) => count)).toEqual([1, 1])
    expect(new Set(found.map(({ cause }) => cause)).size).toBe(2)
  })

  it('marks injected errors as injected, and reports no service as unhealthy', async () => {
    const armed = await at.call('POST', `${API}/faults`, {
      body: { effect: { kind: 'error', code: '57P03' }, scope: { service: 'data' }, count: 3 },
    })
    const { id } = armed.body
    for (let turn = 0; turn < 3; turn += 1)
      expect((await ask(north(), 'GET', '/notes')).status).toBe(503)
    const { problems, requests, services } = await home()
    expect(find(problems, { kind: 'fault' })).toMatchObject([
      { count: 3, see: { at: 'fault', fault: id }, state: { is: 'gone', change: 'disarmed' } },
    ])
    expect(find(problems, { kind: 'failure' })).toEqual([])
    expect(requests).toMatchObject({ injected: 3, refused_by_fault: 3 })
    expect(services.filter(({ state }) => state !== 'well')).toEqual([])
    const { last_errors: errors } = (await at.call('GET', `${API}/overview`)).body
    expect(errors).toMatchObject([{ fault: id }, { fault: id }, { fault: id }])
  })

  it('counts no request of the inspector’s pages', async () => {
    const before = await home()
    await at.call('GET', '/notes', { headers: { 'x-tenantry-inspector': '1' } })
    const after = await home()
    expect(after.requests).toEqual(before.requests)
    expect(after.services.map(({ facts }) => facts['requests'])).toEqual(
      before.services.map(({ facts }) => facts['requests']),
    )
    expect(after.traffic.steps.length).toBe(60)
    expect(after.traffic.steps.reduce((sum, { total }) => sum + total, 0)).toBe(
      after.requests.total,
    )
  })

  it('shows findings of the last audit until the structure changes', async () => {
    const { checks } = await home()
    expect(checks).toEqual({ tenants: 2, audited: 0, compared: 0 })
    await executeSql(
      at,
      north(),
      'create table open_table (id int); grant select on open_table to anon',
    )
    await at.call('POST', `${API}/projects/north/audit`)
    const found = find((await home()).problems, { kind: 'finding' })
    expect(found.map(({ see }) => see)).toContainEqual({ at: 'audit', tenant: 'north' })
    expect(found.map(({ where }) => where)).toContain('open_table')
    expect((await home()).checks.audited).toBe(1)
    await executeSql(at, north(), 'drop table open_table')
    const after = await home()
    expect(find(after.problems, { kind: 'finding' })[0]?.state).toMatchObject({
      is: 'quiet',
      change: 'structure',
    })
    expect(after.checks.audited).toBe(0)
  })

  it('returns the total number of causes when the limit hides some', async () => {
    const { causes, problems } = await home('?limit=1')
    expect(problems.length).toBe(1)
    expect(causes).toBeGreaterThan(1)
  })
})
