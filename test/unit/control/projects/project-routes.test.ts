import { describe, expect, it } from 'vitest'
import { createControlWorld, setUpVendor } from '../control-world.ts'

describe('POST /platform/v1/projects', () => {
  it('answers the project with its two keys', async () => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    const answer = await world.send('POST /platform/v1/projects', session, {
      name: 'Loja São João',
    })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug: 'loja_sao_joao',
        schema_name: 'proj_loja_sao_joao',
        name: 'Loja São João',
        plan: 'pro',
        anon_key: 'anon.proj_loja_sao_joao.1',
        service_role_key: 'service.proj_loja_sao_joao.1',
      },
    })
  })

  it.each([
    [{ name: 'x', slug: 'Clinic' }, 400, 'invalid_slug'],
    [{ name: 'x', slug: 7 }, 400, 'invalid_slug'],
    [{ name: 'x', slug: 'public' }, 400, 'slug_reservado'],
    [{ name: 'x', slug: 'clinic' }, 409, 'slug_taken'],
    [{ slug: 'x' }, 400, 'invalid_request'],
    [{ name: 'x', plan: 'gold' }, 400, 'invalid_request'],
  ])('refuses %j with %i %s', async (body, status, code) => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    const answer = await world.send('POST /platform/v1/projects', session, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
  })

  it('leaves nothing behind when the schema cannot be built', async () => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    world.schemas.failing.add('createEmpty')
    const answer = await world.send('POST /platform/v1/projects', session, {
      name: 'x',
      slug: 'shop',
    })
    expect(answer).toMatchObject({ status: 500, body: { trace: 'req_test' } })
    expect(world.stores.projects.isSlugTaken('shop')).toBe(false)
  })
})

describe('/platform/v1/projects', () => {
  it('lists the account’s own active projects, newest first', async () => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
    await world.send('POST /platform/v1/projects', session, { name: 'Shop' })
    const answer = await world.send('GET /platform/v1/projects', session)
    expect(answer.body.map((project: { slug: string }) => project.slug)).toEqual(['shop', 'clinic'])
  })

  it.each(['GET', 'DELETE', 'PATCH'])(
    '%s does not find a project of another user',
    async (method) => {
      const world = createControlWorld()
      const { session } = await setUpVendor(world)
      const other = await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
      const answer = await world.send(
        `${method} /platform/v1/projects/${other.projectId}`,
        session,
        method === 'PATCH' ? {} : undefined,
      )
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    },
  )

  it('fetches a project by UUID and by schema name', async () => {
    const world = createControlWorld()
    const { session, projectId } = await setUpVendor(world)
    const byId = await world.send(`GET /platform/v1/projects/${projectId}`, session)
    const bySchema = await world.send('GET /platform/v1/projects/proj_clinic', session)
    expect(byId.body).toEqual(bySchema.body)
  })

  it('removes a project, but keeps its schema and its slug', async () => {
    const world = createControlWorld()
    const { session, projectId } = await setUpVendor(world)
    const removed = await world.send(`DELETE /platform/v1/projects/${projectId}`, session)
    const fetched = await world.send(`GET /platform/v1/projects/${projectId}`, session)
    const again = await world.send('POST /platform/v1/projects', session, {
      name: 'x',
      slug: 'clinic',
    })
    expect([removed.status, fetched.status, again.status]).toEqual([204, 404, 409])
    expect(world.schemas.schemas.has('proj_clinic')).toBe(true)
  })

  it('changes the plan of a template and of the template’s tenants', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world, { plan: 'free' })
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    await world.send('PATCH /platform/v1/projects/proj_clinic', vendor.session, { plan: 'scale' })
    expect(world.stores.projects.findProjectBySlug('north')?.planTier).toBe('scale')
  })
})

describe('POST /platform/v1/projects/:id/keys/regenerate', () => {
  it('raises the key version and returns keys of the new version', async () => {
    const world = createControlWorld()
    const { session, projectId } = await setUpVendor(world)
    const answer = await world.send(
      `POST /platform/v1/projects/${projectId}/keys/regenerate`,
      session,
    )
    expect(answer.body).toEqual({
      anon_key: 'anon.proj_clinic.2',
      service_role_key: 'service.proj_clinic.2',
      kv: 2,
    })
  })

  it('regenerates the keys of a tenant in the account’s group', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    const answer = await world.send(
      'POST /platform/v1/projects/proj_north/keys/regenerate',
      vendor.session,
    )
    expect(answer.status).toBe(200)
  })
})
