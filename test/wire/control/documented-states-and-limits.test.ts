// One test for each transition (docs/wire/platform.md#lifecycle) and limit (docs/wire/limits.md#platform), named after it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenAtOnce } from '../../support/at-once.ts'
import { type GroupWorld, ONE_TABLE, startGroupWorld } from '../../support/group-world.ts'
import { createGroup, provisionTenant, setSwitches } from '../../support/test-emulator.ts'

let world: GroupWorld

beforeAll(async () => {
  world = await startGroupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refusal = (status: number, code: string) => ({
  status,
  body: { error: { code, message: expect.stringMatching(/.{15}/) } },
})

describe('States and transitions', () => {
  it('(none) to active: keys are returned once and the group’s tenant count rises', async () => {
    const own = await createGroup(world.at, 'counting', { sql: ONE_TABLE })
    const count = async () =>
      (
        await world.at.call('GET', `/platform/v1/groups/${own.id}`, {
          credential: world.at.session,
        })
      ).body.tenant_count
    expect(await count()).toBe(0)
    const made = await world.at.call('POST', `/groups/v1/${own.id}/tenants`, {
      credential: own.key,
      body: { slug: world.freshSlug(), external_id: 'crm-1', metadata: { tier: 'gold' } },
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        tenant: {
          id: expect.stringMatching(/^ten_[a-z2-7]{20}$/),
          external_id: 'crm-1',
          group_id: own.id,
          metadata: { tier: 'gold' },
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
        anon_key: expect.stringMatching(/^ey/),
        service_role_key: expect.stringMatching(/^ey/),
      },
    })
    expect(await count()).toBe(1)
    const { body } = await world.at.call(
      'GET',
      `/groups/v1/${own.id}/tenants/${made.body.tenant.id}`,
      {
        credential: own.key,
      },
    )
    expect(JSON.stringify(body)).not.toMatch(/eyJ/)
  })

  it('active to deleted: offline at once, data and slug kept', async () => {
    const tenant = await world.freshTenant()
    expect((await world.rowsOf(tenant)).status).toBe(200)
    await world.remove(tenant.slug)
    expect(await world.rowsOf(tenant)).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
    expect(await world.provision({ slug: tenant.slug })).toMatchObject(refusal(409, 'slug_taken'))
  })

  it('active to purged: 202 with pendente while the erasure finishes by itself', async () => {
    const tenant = await world.freshTenant()
    await setSwitches(world.at, tenant.slug, ['purge_pending'])
    expect(await world.purge(tenant.slug)).toMatchObject({
      status: 202,
      body: { ok: true, pendente: true, message: expect.any(String) },
    })
    expect((await world.rowsOf(tenant)).status).toBe(401)
    world.at.emulator.clock.advance(10 * 60_000)
    expect(await world.provision({ slug: tenant.slug })).toMatchObject(refusal(409, 'slug_taken'))
  })

  it('active to purged: ?confirm= is accepted instead of a body', async () => {
    const { slug } = await world.freshTenant()
    const answer = await world.at.call('DELETE', `${world.tenants}/${slug}/purge?confirm=${slug}`, {
      credential: world.group.key,
    })
    expect(answer.status).toBe(200)
  })

  it('publishing leaves existing tenants unchanged, and later tenants get the new structure', async () => {
    const own = await createGroup(world.at, 'growing', { sql: ONE_TABLE })
    const old = await provisionTenant(world.at, own, world.freshSlug())
    await world.at.call('POST', `/platform/v1/projects/${own.templateId}/db/exec`, {
      credential: world.at.session,
      body: { sql: 'create table added (id bigint primary key, t_id bigint references t (id))' },
    })
    const published = await world.at.call('POST', `/groups/v1/${own.id}/template/publish`, {
      credential: own.key,
    })
    expect(published).toMatchObject({
      status: 201,
      body: {
        template: { id: expect.any(String), slug: 'growing_v2', name: expect.any(String) },
        source_project_slug: 'growing',
        tables_copied: 2,
        foreign_keys: 1,
        tenants_na_versao_anterior: 1,
        aviso: expect.stringMatching(/.{20}/),
      },
    })
    const young = await provisionTenant(world.at, own, world.freshSlug())
    const read = (tenant: typeof young) =>
      world.at.call('GET', '/added', {
        credential: tenant.serviceRoleKey,
        headers: { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName },
      })
    expect(await read(young)).toMatchObject({ status: 200, body: [] })
    expect(await read(old)).toMatchObject({ status: 404, body: { code: 'PGRST205' } })
    const again = await world.at.call('POST', `/platform/v1/groups/${own.id}/template/publish`, {
      credential: world.at.session,
    })
    expect(again).toMatchObject({
      status: 201,
      body: { template: { slug: 'growing_v3' }, source_project_slug: 'growing' },
    })
  })
})

describe('Limits', () => {
  it('100 active tenants per group: 402 tenant_limit_reached, and a larger plan does not change it', async () => {
    const own = await createGroup(world.at, 'crowded', { plan: 'scale' })
    const provision = (number: number) => provisionTenant(world.at, own, `crowd_${number}`)
    for (let ten = 0; ten < 90; ten += 10) await tenAtOnce((index) => provision(ten + index))
    for (let last = 90; last < 100; last += 1) await provision(last)
    const more = (slug: string) =>
      world.at.call('POST', `/groups/v1/${own.id}/tenants`, { credential: own.key, body: { slug } })
    expect(await more('crowd_100')).toMatchObject(refusal(402, 'tenant_limit_reached'))
    await world.at.call('DELETE', `/groups/v1/${own.id}/tenants/crowd_7`, { credential: own.key })
    expect((await more('crowd_101')).status).toBe(201)
    const page = await world.at.call('GET', `/groups/v1/${own.id}/tenants?limit=2&offset=1`, {
      credential: own.key,
    })
    expect(page.body).toMatchObject({
      total: 100,
      limit: 2,
      offset: 1,
      tenants: [{ slug: 'crowd_99' }, { slug: 'crowd_98' }],
    })
  })
})
