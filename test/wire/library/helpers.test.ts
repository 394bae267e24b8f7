// Helpers of the library for tests: tenants, their users and their mail. Emulators in one process share nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, TestingError } from '../../../emulator/index.ts'
import { TEST_DATABASE_URL, TEST_ENGINE } from '../../support/engine-of-run.ts'

const NOTES = `create table notes (id integer primary key, owner uuid default auth.uid(), text text);
  alter table notes enable row level security;
  create policy own on notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());`

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEA = '00000000-0000-4000-8000-00000000000b'

const json = { 'content-type': 'application/json' }

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator(TEST_ENGINE)
  const tenant = await emulator.tenant('aurora')
  await tenant.sql(NOTES)
})
afterAll(() => emulator.close())

describe('tenant()', () => {
  it('provisions a tenant in a new group when the platform has none, and later returns the same tenant', async () => {
    const first = await emulator.tenant('aurora')
    expect(first).toMatchObject({
      slug: 'aurora',
      schemaName: 'proj_aurora',
      url: 'http://127.0.0.1',
    })
    const again = await emulator.tenant('aurora')
    expect(again.projectId).toBe(first.projectId)
    expect(again.groupApiKey).toMatch(/^sdb_gk_/)
  })

  it('provisions a new tenant at each call without a name', async () => {
    const tenants = await Promise.all([emulator.tenant(), emulator.tenant(), emulator.tenant()])
    expect(new Set(tenants.map(({ slug }) => slug)).size).toBe(3)
    for (const tenant of tenants) await tenant.remove()
    await expect(emulator.as({ tenant: tenants[0]?.slug ?? '' })).rejects.toThrow(
      /no tenant test_\d/,
    )
  })

  it('lists the existing groups in the error for an unknown group', async () => {
    await expect(emulator.tenant(undefined, { group: 'nowhere' })).rejects.toThrow(
      'There is no group nowhere. There are: Tests.',
    )
  })

  it('runs SQL as the owner and returns rows, or Postgres’s error', async () => {
    const tenant = await emulator.tenant('aurora')
    expect(await tenant.sql('select 1 as one, null as nothing')).toEqual([
      { one: '1', nothing: null },
    ])
    await expect(tenant.sql('select nothing')).rejects.toThrow(
      /SQL in proj_aurora failed with 42703: column "nothing" does not exist/,
    )
  })

  it('makes users who can sign in', async () => {
    const tenant = await emulator.tenant('aurora')
    const { id } = await tenant.users.create({ email: 'ana@x.test', password: 'correct horse' })
    const visitor = await tenant.as()
    const answer = await visitor.fetch('/auth/v1/signin', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'ana@x.test', password: 'correct horse' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: { id } })
  })
})

describe('reset()', () => {
  it('removes the tenants, and leaves the helpers usable', async () => {
    await using own = await createEmulator(TEST_ENGINE)
    const before = await own.tenant()
    await own.reset()
    await expect(own.as({ tenant: before.slug })).rejects.toThrow(/There are no tenants/)
    const after = await own.tenant()
    expect(await after.sql('select 1 as one')).toEqual([{ one: '1' }])
  })
})

describe('as()', () => {
  it('sends requests as a user, who reads only their own rows', async () => {
    const [ana, bea] = await Promise.all([
      emulator.as({ tenant: 'aurora', user: ANA }),
      emulator.as({ tenant: 'aurora', user: BEA }),
    ])
    const made = await ana.fetch('/notes', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ id: 1, text: 'hers' }),
    })
    expect(made.status).toBe(201)
    expect(await (await ana.fetch('/notes?select=text')).json()).toEqual([{ text: 'hers' }])
    expect(await (await bea.fetch('/notes?select=text')).json()).toEqual([])
    const server = await emulator.as({ tenant: 'proj_aurora', role: 'service_role' })
    expect(await (await server.fetch('/notes?select=owner')).json()).toEqual([{ owner: ANA }])
  })

  it('sends requests with a key, or with claims', async () => {
    const { groupApiKey, groupId, anonKey } = await emulator.tenant('aurora')
    const vendor = await emulator.as({ key: groupApiKey })
    expect((await vendor.fetch(`/groups/v1/${groupId}/tenants`)).status).toBe(200)
    const visitor = await emulator.as({ key: anonKey })
    expect(visitor.headers).toEqual({ apikey: anonKey, authorization: `Bearer ${anonKey}` })
    const claimed = await emulator.as({
      tenant: 'aurora',
      user: ANA,
      claims: { app_metadata: { role: 'chief' } },
    })
    const payload = JSON.parse(
      Buffer.from(claimed.token.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(payload).toMatchObject({ sub: ANA, app_metadata: { role: 'chief' } })
  })

  it('overrides credentials that a client sets, and keeps its other headers', async () => {
    const ana = await emulator.as({ tenant: 'aurora', user: ANA })
    const answer = await ana.fetch(
      new Request('http://127.0.0.1/notes', {
        headers: { authorization: 'Bearer nonsense', 'accept-profile': 'proj_aurora' },
      }),
    )
    expect(answer.status).toBe(200)
    expect((await ana.fetch('/notes', { headers: { 'accept-profile': 'other' } })).status).not.toBe(
      200,
    )
  })

  it('refuses an unknown tenant or user', async () => {
    await expect(emulator.as({ tenant: 'nobody' })).rejects.toThrow(
      /no tenant nobody\. There are: aurora/,
    )
    const refusal = await emulator
      .as({ tenant: 'aurora', user: 'x@y.test' })
      .catch((error) => error)
    expect(refusal).toBeInstanceOf(TestingError)
    expect(refusal).toMatchObject({ code: 'refused', status: 404 })
  })
})

describe('mailbox', () => {
  it('waits for a message that a tenant sends', async () => {
    const tenant = await emulator.tenant('aurora')
    const visitor = await tenant.as()
    const waiting = emulator.mailbox.waitFor({ to: 'new@x.test', with: 'code' })
    await visitor.fetch('/auth/v1/otp/send', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'new@x.test', channel: 'email' }),
    })
    expect(await waiting).toMatchObject({
      to: 'new@x.test',
      code: expect.stringMatching(/^\d{6}$/),
    })
    expect(await tenant.mailbox.list()).toHaveLength(1)
    expect(await tenant.mailbox.clear()).toBe(1)
  })

  it('reports the filter and the time limit when no message arrives', async () => {
    await expect(
      emulator.mailbox.waitFor({ to: 'nobody@x.test', timeoutMillis: 10 }),
    ).rejects.toThrow(/No unread message matching .*nobody@x\.test.* came within 10 ms/)
  })
})

describe('two emulators of one process', () => {
  it('share no keys, clocks or rows, even between tenants of the same name', async () => {
    await using one = await createEmulator(TEST_ENGINE)
    await using other = await createEmulator(TEST_ENGINE)
    const both = [one, other] as const
    const tenants = await Promise.all(both.map((each) => each.tenant('twin')))
    await Promise.all(tenants.map((tenant) => tenant.sql('create table t (name text)')))
    await tenants[0]?.sql("insert into t values ('first')")
    await tenants[1]?.sql("insert into t values ('second'), ('third')")
    one.clock.advance(86_400_000)
    const seen = await Promise.all(
      tenants.map(
        async (tenant) =>
          (await tenant.sql('select count(*), now()::date::text as today from t'))[0],
      ),
    )
    expect(seen.map((row) => row?.['count'])).toEqual(['1', '2'])
    // SQL's time cannot be moved on a server.
    if (TEST_DATABASE_URL === undefined) expect(seen[0]?.['today']).not.toBe(seen[1]?.['today'])
    expect(one.clock.now() - other.clock.now()).toBeGreaterThan(80_000_000)
    expect(tenants[0]?.anonKey).not.toBe(tenants[1]?.anonKey)
    const foreign = await one.as({ key: tenants[1]?.serviceRoleKey ?? '' })
    expect((await foreign.fetch('/t')).status).toBe(401)
  })
})
