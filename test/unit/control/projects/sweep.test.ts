import { describe, expect, it } from 'vitest'
import { sweepReservations } from '../../../../emulator/services/control/projects/sweep.ts'
import { createControlWorld, setUpVendor } from '../control-world.ts'

describe('sweepReservations', () => {
  it('removes a tenant that a crash left incomplete, and frees its slug', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom').add('drop')
    const crashed = await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    world.schemas.failing.clear()
    const swept = await sweepReservations(world.deps)
    const repeated = await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    expect([crashed.status, repeated.status]).toEqual([500, 201])
    expect(swept).toEqual({ reservations: 1, purges: 0 })
  })

  it('finishes a pending purge', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    const project = world.stores.projects.findProjectBySlug('north')
    world.stores.projects.switches.arm(project?.id as never, 'purge_pending')
    await world.send(`DELETE ${vendor.tenants}/north/purge?confirm=north`, vendor.groupKey)
    const swept = await sweepReservations(world.deps)
    expect(swept).toEqual({ reservations: 0, purges: 1 })
    expect(world.stores.projects.findProjectBySlug('north')?.state).toBe('purged')
  })

  it('leaves active projects alone', async () => {
    const world = createControlWorld()
    await setUpVendor(world)
    await sweepReservations(world.deps)
    expect(world.stores.projects.findProjectBySlug('clinic')?.state).toBe('active')
  })

  it('continues when one erasure fails, and reports the failure', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom').add('drop')
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    world.observations.length = 0
    const swept = await sweepReservations(world.deps)
    expect(swept.reservations).toBe(0)
    expect(world.observations).toContainEqual(expect.objectContaining({ kind: 'internalFailure' }))
  })
})
