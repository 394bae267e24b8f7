// GET /_emulator/v1/overview: groups, templates, tenants and the health of services (contract/overview.ts).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const overview = async (): Promise<Json> =>
  (await world.at.call('GET', '/_emulator/v1/overview')).body

it('shows groups with their template, keys and tenants', async () => {
  const { groups, projects } = await overview()
  expect(groups).toMatchObject([
    {
      id: world.group.id,
      plan_tier: expect.any(String),
      template: { slug: world.group.templateSlug, version: 1 },
      keys: [{ prefix: expect.any(String), revoked_at: null }],
    },
  ])
  const tenant = groups[0].tenants.find(({ slug }: Json) => slug === world.tenant.slug)
  expect(tenant).toMatchObject({
    id: world.tenant.id.startsWith('ten_') ? expect.any(String) : world.tenant.id,
    schema_name: world.tenant.schemaName,
    kind: 'tenant',
    state: 'active',
    template_version: 1,
    is_current: true,
    database_bytes: expect.any(Number),
    storage_bytes: 0,
  })
  expect(tenant.database_bytes).toBeGreaterThan(0)
  expect(projects).toEqual([])
})

it('shows a removed tenant separately until it is purged', async () => {
  const removed = await provisionTenant(world.at, world.group, 'going')
  const path = `/groups/v1/${world.group.id}/tenants/going`
  await world.at.call('DELETE', path, { credential: world.group.key })
  const [group] = (await overview()).groups
  expect(group.tenants.map(({ slug }: Json) => slug)).not.toContain('going')
  expect(group.removed_tenants).toMatchObject([
    { slug: 'going', schema_name: removed.schemaName, state: 'deleted' },
  ])
  await world.at.call('DELETE', `${path}/purge?confirm=going`, { credential: world.group.key })
  expect((await overview()).groups[0].removed_tenants).toEqual([])
})

it('counts a new user and new rows at once', async () => {
  const sizeOf = async () =>
    (await overview()).groups[0].tenants.find(({ slug }: Json) => slug === world.tenant.slug)
  const before = await sizeOf()
  await world.freshUser()
  await world.execute(`create table papers as select n, repeat('x', 500) as body
    from generate_series(1, 500) as n`)
  const after = await sizeOf()
  expect(after.users).toBe(before.users + 1)
  expect(after.database_bytes).toBeGreaterThan(before.database_bytes + 200_000)
})

it('shows the last request of an application, and ignores requests of the inspector', async () => {
  const lastRequest = async (): Promise<string> =>
    (await overview()).groups[0].tenants.find(({ slug }: Json) => slug === world.tenant.slug)
      .last_request_at
  const { anonKey, schemaName } = world.tenant
  const ask = async (own: Readonly<Record<string, string>>): Promise<void> => {
    const headers = { apikey: anonKey, 'accept-profile': schemaName, ...own }
    const { status } = await world.at.call('GET', '/papers', { credential: anonKey, headers })
    expect(status).toBe(200)
  }
  await ask({})
  const before = await lastRequest()
  expect(Date.parse(before)).toBeGreaterThan(0)
  await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 60_000 } })
  await ask({ 'x-tenantry-inspector': '1' })
  expect(await lastRequest()).toBe(before)
  await ask({})
  expect(Date.parse(await lastRequest())).toBeGreaterThanOrEqual(Date.parse(before) + 60_000)
  await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
})

it('lists projects of all kinds without reading their databases', async () => {
  await provisionTenant(world.at, world.group, 'parted')
  await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/parted`, {
    credential: world.group.key,
  })
  const { body } = await world.at.call('GET', '/_emulator/v1/projects')
  expect(body).toMatchObject({ data_dir: null, groups: [{ id: world.group.id }] })
  const shown = body.projects.map(({ slug, state, group_id: group }: Json) => [slug, state, group])
  expect(shown).toEqual([
    [world.tenant.slug, 'active', world.group.id],
    ['parted', 'deleted', world.group.id],
    [world.group.templateSlug, 'active', world.group.id],
  ])
})

it('lists the source of a published template under the group', async () => {
  const { body: published } = await world.at.call(
    'POST',
    `/groups/v1/${world.group.id}/template/publish`,
    { credential: world.group.key, body: {} },
  )
  const { body } = await world.at.call('GET', '/_emulator/v1/projects')
  const groups = new Map(body.projects.map(({ slug, group_id: group }: Json) => [slug, group]))
  expect(groups.get(world.group.templateSlug)).toBe(world.group.id)
  expect([...groups.values()]).not.toContain(null)
  expect(published.error ?? null).toBeNull()
  const { projects } = await overview()
  expect(projects.map(({ slug }: Json) => slug)).not.toContain(world.group.templateSlug)
})

it('describes the health of each service in a sentence', async () => {
  const { services, memory_bytes: memory, engine_heap_bytes: heap, version } = await overview()
  expect(services.map(({ service, state }: Json) => [service, state])).toEqual([
    ['database', 'well'],
    ['rest', 'well'],
    ['auth', 'well'],
    ['storage', 'well'],
    ['realtime', 'well'],
    ['management', 'well'],
  ])
  for (const { sentence } of services) expect(sentence).toMatch(/^[A-Z0-9].*\.$/)
  expect(memory).toBeGreaterThan(0)
  // The emulator does not know the memory of a server.
  if (TEST_DATABASE_URL === undefined) expect(heap).toBeGreaterThan(0)
  expect(version).toMatch(/^\d/)
})

it('reports no service as unhealthy for a recursive policy or an injected fault', async () => {
  await world.execute(`create table loops (id integer primary key);
    alter table loops enable row level security;
    create policy own on loops for select to authenticated using (exists (select from loops));
    grant select on loops to authenticated`)
  const { data_plane_token: token } = await world.freshUser()
  const read = () => world.data('GET', '/loops', token)
  expect(await read()).toMatchObject({ status: 500, body: { code: '42P17' } })
  const armed = await world.at.call('POST', '/_emulator/v1/faults', {
    body: { effect: { kind: 'error', code: '57P03' }, scope: { service: 'data' }, count: 1 },
  })
  expect(armed.status).toBe(201)
  expect((await read()).status).toBe(503)
  const { services } = await overview()
  expect(services.filter(({ state }: Json) => state !== 'well')).toEqual([])
})

it('reads the sizes of a few more projects in each call, until all sizes are known', async () => {
  const slugs = Array.from({ length: 8 }, (_, at) => `sized_${at}`)
  for (const slug of slugs) await provisionTenant(world.at, world.group, slug)
  const left: number[] = []
  for (let calls = 0; calls < 10; calls += 1) {
    const { groups, unread } = await overview()
    left.push(unread)
    const unknown = groups[0].tenants.filter(({ users }: Json) => users === null)
    expect(unknown.length).toBeLessThanOrEqual(unread)
    if (unread === 0) break
  }
  expect(left.length).toBeGreaterThan(1)
  expect(left.at(-1)).toBe(0)
  const steps = left.slice(1).map((now, at) => (left[at] ?? 0) - now)
  expect(Math.max(...steps)).toBeLessThanOrEqual(5)
})
