import { describe, expect, it } from 'vitest'
import { PENDING_PURGE_MILLIS } from '../../../../emulator/services/control/projects/erase-project.ts'
import {
  type ControlWorld,
  createControlWorld,
  setUpVendor,
  type Vendor,
} from '../control-world.ts'
import { until } from '../until.ts'

const confirmed = { confirm_slug: 'north' }

async function createWorldWithTenant() {
  const world = createControlWorld()
  world.deps.lifecycle.listen({
    purge: () => Promise.resolve({ bucketsDeleted: 2, objectsDeleted: 5 }),
  })
  const vendor = await setUpVendor(world)
  await world.send(`POST ${vendor.tenants}`, vendor.groupKey, {
    slug: 'north',
    external_id: 'crm-7',
    metadata: { secret: 'x' },
  })
  return { world, vendor }
}

function purge(world: ControlWorld, vendor: Vendor, body?: unknown, query = '') {
  return world.send(`DELETE ${vendor.tenants}/north/purge${query}`, vendor.groupKey, body)
}

const stateOf = (world: ControlWorld) => world.stores.projects.findProjectBySlug('north')?.state

describe('DELETE /groups/v1/:group_id/tenants/:slug/purge', () => {
  it('erases schema, records and keys, and counts what the services erased', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const key = await world.send(`POST ${vendor.tenants}/north/keys`, vendor.groupKey)
    const answer = await purge(world, vendor, confirmed)
    const exec = await world.send('POST /platform/v1/projects/proj_north/db/exec', key.body.key, {
      sql: 'select 1',
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ok: true, purged: { buckets_deleted: 2, objects_deleted: 5 } })
    expect(world.schemas.schemas.has('proj_north')).toBe(false)
    expect([stateOf(world), exec.status]).toEqual(['purged', 401])
  })

  it('removes the external id and the metadata of the tenant', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const { id } = world.stores.projects.findProjectBySlug('north') ?? {}
    await purge(world, vendor, confirmed)
    expect(world.stores.tenants.findTenantOfProject(id as never)).toMatchObject({
      externalId: undefined,
      metadata: {},
    })
  })

  it('accepts the confirmation in the query instead of the body', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await purge(world, vendor, undefined, '?confirm=north')
    expect(answer.status).toBe(200)
  })

  it.each([
    [{ confirm_slug: 'NORTH' }, ''],
    [{ confirm_slug: ['north'] }, ''],
    [{ confirm_slug: 'south' }, '?confirm=north'],
    [undefined, '?confirm=south'],
  ])('refuses %j%s with confirmation_required and erases nothing', async (body, query) => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await purge(world, vendor, body, query)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'confirmation_required' } },
    })
    expect(stateOf(world)).toBe('active')
  })

  it('answers 404 for an unknown tenant and for a tenant that was already purged', async () => {
    const { world, vendor } = await createWorldWithTenant()
    await purge(world, vendor, confirmed)
    const again = await purge(world, vendor, confirmed)
    const unknown = await world.send(`DELETE ${vendor.tenants}/south/purge`, vendor.groupKey, {
      confirm_slug: 'south',
    })
    expect([again.status, unknown.status]).toEqual([404, 404])
  })

  it('protects a tenant that is the template of a group', async () => {
    const { world, vendor } = await createWorldWithTenant()
    await world.send('POST /platform/v1/groups', vendor.session, {
      name: 'From a tenant',
      template_project_id: 'proj_north',
    })
    const answer = await purge(world, vendor, confirmed)
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'template_protected' } } })
    expect(stateOf(world)).toBe('active')
  })

  it('protects the group’s own template project', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(`DELETE ${vendor.tenants}/clinic/purge`, vendor.groupKey, {
      confirm_slug: 'clinic',
    })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'template_protected' } } })
  })

  it('answers 202 while purge_pending is armed, ends access at once and erases later', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const project = world.stores.projects.findProjectBySlug('north')
    world.stores.projects.switches.arm(project?.id as never, 'purge_pending')
    const answer = await purge(world, vendor, confirmed)
    const fetched = await world.send(`GET ${vendor.tenants}/north`, vendor.groupKey)
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ ok: true, pendente: true, message: expect.any(String) })
    expect([stateOf(world), fetched.status]).toEqual(['purging', 404])
    world.clock.advance(PENDING_PURGE_MILLIS)
    await until(() => stateOf(world) === 'purged')
    expect(world.schemas.schemas.has('proj_north')).toBe(false)
  })

  it('answers 202 again while the erasure is pending', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const project = world.stores.projects.findProjectBySlug('north')
    world.stores.projects.switches.arm(project?.id as never, 'purge_pending')
    await purge(world, vendor, confirmed)
    const answer = await purge(world, vendor, confirmed)
    expect(answer.status).toBe(202)
  })

  it('answers 202 when an erasure fails, and repeats the erasure until it succeeds', async () => {
    const { world, vendor } = await createWorldWithTenant()
    world.schemas.failing.add('drop')
    const answer = await purge(world, vendor, confirmed)
    world.clock.advance(PENDING_PURGE_MILLIS)
    await until(() => world.observations.some(({ kind }) => kind === 'backgroundFailed'))
    world.schemas.failing.clear()
    world.clock.advance(PENDING_PURGE_MILLIS)
    await until(() => stateOf(world) === 'purged')
    expect(answer.status).toBe(202)
  })
})
