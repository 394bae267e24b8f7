// Ten requests to the control plane at once (docs/wire/platform.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tallyOf, tenAtOnce } from '../../support/at-once.ts'
import { type GroupWorld, ONE_TABLE, startGroupWorld } from '../../support/group-world.ts'
import { createGroup, type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: GroupWorld
beforeAll(async () => {
  world = await startGroupWorld()
})
afterAll(() => world.at[Symbol.asyncDispose]())

const asOwner = (method: string, path: string, body?: object) =>
  world.at.call<Json>(method, `/platform/v1${path}`, {
    credential: world.at.session,
    ...(body === undefined ? {} : { body }),
  })
/** Whether a project key can read the tenant's table. */
const opens = async (key: string, schemaName: string): Promise<boolean> => {
  const headers = { apikey: key, 'accept-profile': schemaName }
  return (await world.at.call('GET', '/t', { credential: key, headers })).status === 200
}

describe('ten simultaneous requests', () => {
  it('create one dashboard account, and the other sign-ups get 409', async () => {
    const body = { email: 'races@example.test', password: 'correct horse' }
    const answers = await tenAtOnce(() => world.at.call('POST', '/platform/v1/signup', { body }))
    expect(tallyOf(answers)).toEqual({ 201: 1, '409 email_taken': 9 })
  })

  it('provision one tenant for one slug', async () => {
    const slug = world.freshSlug()
    const answers = await tenAtOnce(() => world.provision({ slug }))
    expect(tallyOf(answers)).toEqual({ 201: 1, '409 slug_taken': 9 })
  })

  it('provision ten tenants, each with its own table', async () => {
    const tenants = await tenAtOnce(() => world.freshTenant())
    const rows = await Promise.all(tenants.map((tenant) => world.rowsOf(tenant)))
    expect(tallyOf(rows)).toEqual({ 200: 10 })
  })

  it('provision the two tenants that the free plan includes', async () => {
    const group = await createGroup(world.at, 'free_races', { sql: ONE_TABLE, plan: 'free' })
    const answers = await tenAtOnce((index) =>
      world.at.call<Json>('POST', `/groups/v1/${group.id}/tenants`, {
        credential: group.key,
        body: { slug: `free${index}` },
      }),
    )
    expect(tallyOf(answers)).toEqual({ 201: 2, '402 tenant_quota_exceeded': 8 })
  })

  it('publish ten versions, and the group points to the last one', async () => {
    const group = await createGroup(world.at, 'published', { sql: ONE_TABLE })
    const answers = await tenAtOnce(() =>
      asOwner('POST', `/groups/${group.id}/template/publish`, {}),
    )
    const slugs = answers.map(({ body }) => body.template?.slug)
    expect([tallyOf(answers), new Set(slugs).size]).toEqual([{ 201: 10 }, 10])
    const { body } = await asOwner('GET', `/groups/${group.id}`)
    expect(body.template_project_id).toBe('proj_published_v11')
  })

  it('replace the project keys ten times, and the newest keys work', async () => {
    const tenant = await world.freshTenant()
    const answers = await tenAtOnce(() =>
      asOwner('POST', `/projects/${tenant.schemaName}/keys/regenerate`),
    )
    const newest = answers.toSorted((one, other) => other.body.kv - one.body.kv)
    const works = await Promise.all(
      newest.map(({ body }) => opens(body.service_role_key, tenant.schemaName)),
    )
    expect(works).toEqual([true, ...Array.from({ length: 9 }, () => false)])
  })

  it('purge a tenant once', async () => {
    const { slug } = await provisionTenant(world.at, world.group, world.freshSlug())
    const answers = await tenAtOnce(() => world.purge(slug))
    expect(tallyOf(answers)[200]).toBe(1)
    expect(answers.every(({ status }) => [200, 202, 404].includes(status))).toBe(true)
  })
})
