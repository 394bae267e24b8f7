// The access chain of a refusal whose tenant was purged later, as by test suites. The chain shows the state at the time of the
// refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../../emulator/contract/explain.ts'
import type { JournalPage } from '../../../../emulator/contract/journal.ts'
import { type AuthWorld, PASSWORD, startAuthWorld } from '../../../support/auth-world.ts'
import { executeSql, provisionTenant, type TestTenant } from '../../../support/test-emulator.ts'

const SQL = `
  create table notes (id int primary key, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert on notes to authenticated;
  create table closed (id int primary key);
  alter table closed enable row level security;
  revoke all on closed from anon;`

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let tenants = 0
async function freshTenant(): Promise<TestTenant> {
  const tenant = await provisionTenant(world.at, world.group, `kept${++tenants}`)
  await executeSql(world.at, tenant, SQL)
  return tenant
}

const purge = async (slug: string) => {
  const path = `/groups/v1/${world.group.id}/tenants/${slug}/purge`
  const body = { confirm_slug: slug }
  const { status } = await world.at.call('DELETE', path, { credential: world.group.key, body })
  expect(status).toBe(200)
}

/** Reads the access chain of the tenant's newest refusal. */
async function chainOf(tenant: TestTenant, query = '?as_of=refusal'): Promise<AccessChain> {
  const path = `/_emulator/v1/journal?refused=true&schema_name=${tenant.schemaName}&limit=1`
  const [entry] = (await world.at.call<JournalPage>('GET', path)).body.entries
  const chain = `/_emulator/v1/journal/${entry?.request_id}/chain${query}`
  return (await world.at.call<AccessChain>('GET', chain)).body
}

const auth = (tenant: TestTenant, path: string, body: object) =>
  world.at.call('POST', `/auth/v1${path}`, { headers: { apikey: tenant.anonKey }, body })

async function withoutConfirmation(tenant: TestTenant): Promise<void> {
  const path = `/_emulator/v1/projects/${tenant.slug}/auth-settings`
  await world.at.call('PATCH', path, { body: { confirm_email: true } })
  const account = { email: 'new@example.com', password: PASSWORD }
  await auth(tenant, '/signup', account)
  expect((await auth(tenant, '/signin', account)).status).toBe(403)
}

async function withAnothersRow(tenant: TestTenant): Promise<void> {
  const signUp = { email: 'row@example.com', password: PASSWORD }
  const { data_plane_token: credential } = (await auth(tenant, '/signup', signUp)).body
  const answer = await world.at.call('POST', '/notes', {
    credential,
    headers: { apikey: tenant.anonKey, 'content-profile': tenant.schemaName },
    body: { id: 1, owner: '00000000-0000-4000-8000-00000000000b' },
  })
  expect(answer.status).toBe(403)
}

async function withoutGrant(tenant: TestTenant): Promise<void> {
  const headers = { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName }
  const answer = await world.at.call('GET', '/closed', { credential: tenant.anonKey, headers })
  expect(answer.status).toBe(401)
}

async function withTheWrongCode(tenant: TestTenant): Promise<void> {
  await auth(tenant, '/otp/send', { email: 'code@example.com' })
  const answer = await auth(tenant, '/otp/verify', { email: 'code@example.com', code: '000000x' })
  expect(answer.status).toBe(400)
}

const REFUSALS = [
  ['a link that was not opened', withoutConfirmation, /confirmation link .* new@example\.com/],
  ['a policy', withAnothersRow, /own_notes/],
  ['a missing grant', withoutGrant, /anon has no SELECT/],
  ['a wrong code', withTheWrongCode, /code .* code@example\.com/],
] as const

describe('a refusal of a tenant that was purged afterwards', () => {
  it.each(REFUSALS)('is explained by %s', async (_, refuse, reason) => {
    const tenant = await freshTenant()
    await refuse(tenant)
    await purge(tenant.slug)
    const chain = await chainOf(tenant)
    expect(chain.sentence).toMatch(reason)
    expect(chain).toMatchObject({ as_of: 'refusal' })
    expect(JSON.stringify(chain)).not.toMatch(/purg|recorded only/)
    // Without `as_of`, the chain is the same, because the current state can no longer explain the refusal.
    expect(await chainOf(tenant, '')).toEqual(chain)
  })
})

describe('a refusal before 5,000 others', () => {
  it('is still explained by policy, function and value, although its body was dropped', async () => {
    const tenant = await freshTenant()
    await withAnothersRow(tenant)
    await withoutConfirmation(tenant)
    const before = await chainOf(tenant, '')
    const path = `/_emulator/v1/journal?refused=true&schema_name=${tenant.schemaName}`
    const { entries } = (await world.at.call<JournalPage>('GET', path)).body
    for (let sent = 0; sent < 5_000; sent += 500)
      await Promise.all(
        Array.from({ length: 500 }, () =>
          world.at.emulator.fetch(new Request(`${world.at.url}/nowhere/at/all`)),
        ),
      )
    const after = await Promise.all(
      entries.map(async ({ request_id: id }) => ({
        recording: (await world.at.call('GET', `/_emulator/v1/journal/${id}`)).body.recording,
        chain: (await world.at.call<AccessChain>('GET', `/_emulator/v1/journal/${id}/chain`)).body,
      })),
    )
    expect(after.map(({ recording }) => recording)).toEqual([null, null])
    const [unconfirmed, refused] = after.map(({ chain }) => chain)
    expect(unconfirmed?.sentence).toBe(before.sentence)
    expect(refused).toMatchObject({ as_of: 'refusal', incomplete: null })
    expect(JSON.stringify(refused)).toMatch(/own_notes/)
    expect(JSON.stringify(refused)).toMatch(/00000000-0000-4000-8000-00000000000b/)
    expect(JSON.stringify(refused)).toMatch(/auth\.uid\(\)/)
  })
})

describe('a refusal of a tenant that still exists', () => {
  it('is explained by the stored explanation on request, and by the present state by default', async () => {
    const tenant = await freshTenant()
    await withAnothersRow(tenant)
    expect((await chainOf(tenant)).sentence).toMatch(/own_notes/)
    await executeSql(
      world.at,
      tenant,
      'drop policy own_notes on notes; create policy all_notes on notes using (true)',
    )
    expect((await chainOf(tenant)).sentence).toMatch(/own_notes/)
    expect((await chainOf(tenant, '')).sentence).not.toMatch(/own_notes/)
  })
})
