// GET /_emulator/v1/journal/:request_id/chain of refused management calls: one test per error of
// docs/wire/errors.md#management that can
// arise by state.
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

describe('Management errors', () => {
  it.each([
    ['missing', undefined, /No credential/],
    ['invalid', 'not-a-token', /not a key or token/],
    ['unknown', `sdb_gk_${'A'.repeat(43)}`, /revoked/],
  ] as const)('401: a %s token breaks the credential', async (_flaw, credential, words) => {
    await world.at.call('GET', world.tenants, credential === undefined ? {} : { credential })
    expect(await chain()).toMatchObject({
      status: 401,
      broken: 'credential',
      sentence: expect.stringMatching(words),
    })
  })

  it('401: a project key where a session is wanted breaks the credential', async () => {
    const { anonKey } = await world.freshTenant()
    await world.at.call('GET', '/platform/v1/groups', { credential: anonKey })
    expect(await chain()).toMatchObject({ broken: 'credential' })
  })

  it('403 forbidden: another group’s key breaks the group, by both names', async () => {
    const other = await createGroup(world.at, 'chain_other')
    await world.at.call('GET', world.tenants, { credential: other.key })
    expect(await chain()).toMatchObject({
      broken: 'group',
      sentence: expect.stringMatching(/chain_other.*seeded/),
    })
  })

  it('400 invalid_slug breaks the request', async () => {
    await world.provision({ slug: 'Not A Slug' })
    expect(await chain()).toMatchObject({ broken: 'request' })
  })

  it('400 confirmation_required breaks the request', async () => {
    const { slug } = await world.freshTenant()
    await world.purgeWith(slug, {})
    expect(await chain()).toMatchObject({
      broken: 'request',
      sentence: expect.stringMatching(/confirm_slug/),
    })
  })

  it('404: distinguishes a removed tenant, an unknown tenant and another group’s tenant', async () => {
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

  it('409 slug_taken: in use, or purged for good', async () => {
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

  it('402 tenant_quota_exceeded breaks the quota, with the counts', async () => {
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

  it('409 template_indisponivel: by a switch, and by a deleted template', async () => {
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
  ] as const)('%s names the switch', async (code, situation) => {
    const own = await createGroup(world.at, `chain_${situation}`)
    await setSwitches(world.at, own.templateSlug, [situation])
    await world.at.call('POST', `/groups/v1/${own.id}/template/publish`, { credential: own.key })
    const found = await chain()
    expect(found, code).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(new RegExp(situation)),
    })
  })

  it('409 template_protected names the group', async () => {
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

  it('409: a group with tenants shows their number', async () => {
    await world.freshTenant()
    await world.at.call('DELETE', `/platform/v1/groups/${world.group.id}`, {
      credential: world.at.session,
    })
    expect(await chain()).toMatchObject({
      broken: 'resource',
      sentence: expect.stringMatching(/active tenants/),
    })
  })

  it('an answered call has a chain without a broken link', async () => {
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
