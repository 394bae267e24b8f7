// GET /_emulator/v1/journal/:request_id/chain for refused management requests. One test for each error of
// docs/wire/errors.md#management that a state of the platform can cause.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestChain } from '../../../support/chain.ts'
import { type GroupWorld, startGroupWorld } from '../../../support/group-world.ts'
import { createGroup, provisionTenant, setSwitches } from '../../../support/test-emulator.ts'

let world: GroupWorld

beforeAll(async () => {
  world = await startGroupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const chain = () => newestChain(world.at)

describe('the chain of a management request', () => {
  it.each([
    ['missing', undefined, /No credential/],
    ['invalid', 'not-a-token', /not a key or token/],
    ['unknown', `sdb_gk_${'A'.repeat(43)}`, /revoked/],
  ] as const)('breaks at the credential for a %s token: 401', async (_flaw, credential, words) => {
    await world.at.call('GET', world.tenants, credential === undefined ? {} : { credential })
    expect(await chain()).toMatchObject({
      status: 401,
      broken: 'credential',
      sentence: expect.stringMatching(words),
    })
  })

  it('breaks at the credential for a project key instead of a session: 401', async () => {
    const { anonKey } = await world.freshTenant()
    await world.at.call('GET', '/platform/v1/groups', { credential: anonKey })
    expect(await chain()).toMatchObject({ broken: 'credential' })
  })

  it('breaks at the group for another group’s key, and names both groups: 403 forbidden', async () => {
    const other = await createGroup(world.at, 'chain_other')
    await world.at.call('GET', world.tenants, { credential: other.key })
    expect(await chain()).toMatchObject({
      broken: 'group',
      sentence: expect.stringMatching(/chain_other.*seeded/),
    })
  })

  it('breaks at the request: 400 invalid_slug', async () => {
    await world.provision({ slug: 'Not A Slug' })
    expect(await chain()).toMatchObject({ broken: 'request' })
  })

  it('breaks at the request: 400 confirmation_required', async () => {
    const { slug } = await world.freshTenant()
    await world.purgeWith(slug, {})
    expect(await chain()).toMatchObject({
      broken: 'request',
      sentence: expect.stringMatching(/confirm_slug/),
    })
  })

  it('distinguishes a removed tenant, an unknown tenant and another group’s tenant: 404', async () => {
    const { slug } = await world.freshTenant()
    await world.remove(slug)
    await world.remove(slug)
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/was removed/),
    })
    await world.remove('never_there')
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/never had one/),
    })
    const other = await createGroup(world.at, 'chain_third')
    await provisionTenant(world.at, other, 'elsewhere')
    await world.remove('elsewhere')
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/another group/),
    })
  })

  it('breaks at the resource for a slug that is used or was purged: 409 slug_taken', async () => {
    const { slug } = await world.freshTenant()
    await world.provision({ slug })
    expect(await chain()).toMatchObject({ broken: 'resource' })
    await world.purge(slug)
    await world.provision({ slug })
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/slugs are never reused/),
    })
  })

  it('breaks at the quota, and states the counts: 402 tenant_quota_exceeded', async () => {
    const free = await createGroup(world.at, 'chain_free', { plan: 'free' })
    for (let count = 0; count < 3; count++)
      await world.at.call('POST', `/groups/v1/${free.id}/tenants`, {
        credential: free.key,
        body: { slug: world.freshSlug() },
      })
    expect(await chain()).toMatchObject({
      status: 402,
      broken: 'quota',
      sentence: expect.stringMatching(/2 active tenants.*free plan/),
    })
  })

  it('names a switch, or a deleted template: 409 template_indisponivel', async () => {
    await setSwitches(world.at, world.group.templateSlug, ['template_deleted'])
    await world.provision({ slug: world.freshSlug() })
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/simulated response template_deleted is on/),
    })
    await setSwitches(world.at, world.group.templateSlug, [])
    const own = await createGroup(world.at, 'chain_gone')
    await world.at.call('DELETE', `/platform/v1/projects/${own.templateId}`, {
      credential: world.at.session,
    })
    await world.at.call('POST', `/groups/v1/${own.id}/tenants`, {
      credential: own.key,
      body: { slug: world.freshSlug() },
    })
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/is deleted/),
    })
  })

  it.each([
    ['fonte_indisponivel', 'source_out_of_sync'],
    ['clone_incompleto', 'clone_incomplete'],
  ] as const)('names the switch that caused the error: %s', async (code, situation) => {
    const own = await createGroup(world.at, `chain_${situation}`)
    await setSwitches(world.at, own.templateSlug, [situation])
    await world.at.call('POST', `/groups/v1/${own.id}/template/publish`, { credential: own.key })
    const found = await chain()
    expect(found, code).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(new RegExp(situation)),
    })
  })

  it('names the group that uses the template: 409 template_protected', async () => {
    const tenant = await world.freshTenant()
    await world.at.call('POST', '/platform/v1/groups', {
      credential: world.at.session,
      body: { name: 'on a tenant', template_project_id: tenant.schemaName },
    })
    await world.purge(tenant.slug)
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/on a tenant/),
    })
  })

  it('states the number of tenants when a group with tenants is deleted: 409', async () => {
    await world.freshTenant()
    await world.at.call('DELETE', `/platform/v1/groups/${world.group.id}`, {
      credential: world.at.session,
    })
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/active tenants/),
    })
  })

  it('has no broken link for a successful call', async () => {
    await world.at.call('GET', world.tenants, { credential: world.group.key })
    expect(await chain()).toMatchObject({
      broken: null,
      sentence: expect.stringMatching(/All checks passed/),
    })
  })
})

it('returns no chain for a request that is not in the journal', async () => {
  const answer = await world.at.call('GET', '/_emulator/v1/journal/req_nothing/chain')
  expect(answer.status).toBe(404)
})
