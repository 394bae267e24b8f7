// Management errors (docs/wire/errors.md#management) that the conformance rules do not cause, or whose effects the rules cannot
// observe.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('Management errors', () => {
  it.each([
    ['missing', undefined],
    ['invalid', 'not-a-token'],
    ['unknown', `sdb_gk_${'A'.repeat(43)}`],
  ])('401 unauthorized: a %s token', async (_flaw, credential) => {
    const options = credential === undefined ? {} : { credential }
    expect(await world.at.call('GET', world.tenants, options)).toMatchObject(
      refusal(401, 'unauthorized'),
    )
    expect(await world.at.call('GET', '/platform/v1/groups', options)).toMatchObject(
      refusal(401, 'unauthorized'),
    )
  })

  it('401 unauthorized: an expired session token', async () => {
    const { call, emulator, session } = world.at
    emulator.clock.advance(12 * 3_600_000)
    const answer = await call('GET', '/platform/v1/groups', { credential: session })
    emulator.clock.reset()
    expect(answer).toMatchObject(refusal(401, 'unauthorized'))
    expect(answer.text).toMatch(/expired/)
  })

  it('402 tenant_quota_exceeded: a third tenant on the free plan; a larger plan allows it', async () => {
    const free = await createGroup(world.at, 'free_tpl', { plan: 'free' })
    await provisionTenant(world.at, free, world.freshSlug())
    await provisionTenant(world.at, free, world.freshSlug())
    const third = () =>
      world.at.call('POST', `/groups/v1/${free.id}/tenants`, {
        credential: free.key,
        body: { slug: world.freshSlug() },
      })
    expect(await third()).toMatchObject(refusal(402, 'tenant_quota_exceeded'))
    const larger = await createGroup(world.at, 'site_tpl', { plan: 'site' })
    const patched = await world.at.call('PATCH', `/platform/v1/groups/${free.id}`, {
      credential: world.at.session,
      body: { template_project_id: `proj_${larger.templateSlug}` },
    })
    expect(patched.status).toBe(200)
    expect((await third()).status).toBe(201)
  })

  it('409 template_protected: purge of a project that is the template of a group', async () => {
    const tenant = await world.freshTenant()
    await world.at.call('POST', '/platform/v1/groups', {
      credential: world.at.session,
      body: { name: 'on a tenant', template_project_id: tenant.schemaName },
    })
    expect(await world.purge(tenant.slug)).toMatchObject(refusal(409, 'template_protected'))
    expect((await world.rowsOf(tenant)).status).toBe(200)
  })

  it.each(['template_deleted', 'template_dedicated_misaligned'])(
    '409 template_indisponivel: %s, and nothing is created',
    async (situation) => {
      await setSwitches(world.at, world.group.templateSlug, [situation])
      const slug = world.freshSlug()
      expect(await world.provision({ slug })).toMatchObject(refusal(409, 'template_indisponivel'))
      await setSwitches(world.at, world.group.templateSlug, [])
      expect((await world.provision({ slug })).status).toBe(201)
    },
  )

  it('409 fonte_indisponivel: the source changed since the last synchronisation; nothing is created', async () => {
    const own = await createGroup(world.at, 'dedicated', { sql: ONE_TABLE })
    const publish = () =>
      world.at.call('POST', `/groups/v1/${own.id}/template/publish`, { credential: own.key })
    await setSwitches(world.at, 'dedicated', ['source_out_of_sync'])
    expect(await publish()).toMatchObject(refusal(409, 'fonte_indisponivel'))
    await setSwitches(world.at, 'dedicated', [])
    expect(await publish()).toMatchObject({
      status: 201,
      body: { template: { slug: 'dedicated_v2' } },
    })
  })

  it('500 clone_incompleto: the answer names the unusable template by project_id and slug', async () => {
    const own = await createGroup(world.at, 'halfway', { sql: ONE_TABLE })
    await setSwitches(world.at, 'halfway', ['clone_incomplete'])
    const answer = await world.at.call('POST', `/groups/v1/${own.id}/template/publish`, {
      credential: own.key,
    })
    expect(answer).toMatchObject({
      ...refusal(500, 'clone_incompleto'),
      body: {
        error: { code: 'clone_incompleto' },
        project_id: expect.any(String),
        slug: 'halfway_v2',
      },
    })
    const pointed = await world.at.call('PATCH', `/platform/v1/groups/${own.id}`, {
      credential: world.at.session,
      body: { template_project_id: 'proj_halfway_v2' },
    })
    expect(pointed.status).toBeGreaterThanOrEqual(400)
  })

  it('500 without a documented code: provisioning is undone completely, and the slug can be used again', async () => {
    await setSwitches(world.at, world.group.templateSlug, ['provision_fails'])
    const slug = world.freshSlug()
    const answer = await world.provision({ slug })
    expect(answer.status).toBe(500)
    expect(answer.text).not.toMatch(/at .*\.ts:\d+/)
    await setSwitches(world.at, world.group.templateSlug, [])
    expect((await world.provision({ slug })).status).toBe(201)
  })
})
