import { describe, expect, it } from 'vitest'
import { SqlError } from '../../../../emulator/database/engine.ts'
import { type ControlWorld, createControlWorld, setUpVendor } from '../control-world.ts'

describe('POST /groups/v1/:group_id/tenants', () => {
  it('answers the documented result of provisioning', async () => {
    const world = createControlWorld()
    const { tenants, groupKey, groupId } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, {
      slug: 'north',
      external_id: 'crm-7',
      metadata: { city: 'Porto', tags: ['a\0b', '\ud800'] },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      tenant: {
        id: expect.stringMatching(/^ten_[a-z2-7]{20}$/),
        slug: 'north',
        schema_name: 'proj_north',
        external_id: 'crm-7',
        group_id: groupId,
        metadata: { city: 'Porto', tags: ['a\0b', '\ud800'] },
        created_at: '2026-09-01T00:00:00.000Z',
      },
      anon_key: 'anon.proj_north.1',
      service_role_key: 'service.proj_north.1',
    })
  })

  it('clones the template’s structure', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(world.schemas.schemas.get('proj_north')).toEqual({ tables: 3, foreignKeys: 2 })
  })

  it('reports the affected tenant to observers and in the request’s facts', async () => {
    const world = createControlWorld()
    const { tenants, groupKey, groupId } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(answer.facts).toMatchObject({
      schemaName: 'proj_north',
      groupId,
      credentialKind: 'groupApiKey',
    })
    expect(world.observations).toContainEqual(
      expect.objectContaining({ change: 'activated', schemaName: 'proj_north' }),
    )
  })

  it('treats null like an absent member', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, {
      slug: 'north',
      external_id: null,
      metadata: null,
    })
    expect(answer.body.tenant).toMatchObject({ external_id: null, metadata: {} })
  })

  it.each([
    [{ slug: 'x'.repeat(500_000) }, 400, 'invalid_slug'],
    [{ slug: 'north', external_id: 7 }, 400, 'invalid_request'],
    [{ slug: 'north', external_id: 'a\0b' }, 400, 'invalid_request'],
    [{ slug: 'north', external_id: '\ud800' }, 400, 'invalid_request'],
    [{ slug: 'north', metadata: [] }, 400, 'invalid_request'],
    [{ slug: 'north', metadata: 'text' }, 400, 'invalid_request'],
  ])('refuses %j', async (body, status, code) => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
  })

  it('refuses the third tenant of a free template and admits it after an upgrade', async () => {
    const world = createControlWorld()
    const { tenants, groupKey, session } = await setUpVendor(world, { plan: 'free' })
    await provision(world, tenants, groupKey, ['a', 'b'])
    const refused = await world.send(`POST ${tenants}`, groupKey, { slug: 'c' })
    await world.send('PATCH /platform/v1/projects/proj_clinic', session, { plan: 'site' })
    const admitted = await world.send(`POST ${tenants}`, groupKey, { slug: 'c' })
    expect(refused).toMatchObject({
      status: 402,
      body: { error: { code: 'tenant_quota_exceeded' } },
    })
    expect(admitted.status).toBe(201)
  })

  it('refuses the 101st active tenant on any plan, until a tenant is removed', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world, { plan: 'scale' })
    await provision(
      world,
      tenants,
      groupKey,
      Array.from({ length: 100 }, (_, n) => `t${n}`),
    )
    const refused = await world.send(`POST ${tenants}`, groupKey, { slug: 'one_more' })
    await world.send(`DELETE ${tenants}/t7`, groupKey)
    const admitted = await world.send(`POST ${tenants}`, groupKey, { slug: 'one_more' })
    expect(refused).toMatchObject({
      status: 402,
      body: { error: { code: 'tenant_limit_reached' } },
    })
    expect(admitted.status).toBe(201)
  })

  it('gives a slug to exactly one of many simultaneous calls', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.send(`POST ${tenants}`, groupKey, { slug: 'north' })),
    )
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([201, ...Array(7).fill(409)])
  })

  it('enforces the quota for many simultaneous calls', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world, { plan: 'free' })
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((slug) => world.send(`POST ${tenants}`, groupKey, { slug })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
  })

  it('leaves nothing behind when cloning fails, and accepts the same slug afterwards', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom')
    const failed = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    const isLeft = world.schemas.schemas.has('proj_north')
    world.schemas.failing.clear()
    const repeated = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'internal' } } })
    expect(failed.body.trace).toBe('req_test')
    expect([isLeft, repeated.status]).toEqual([false, 201])
  })

  it('answers 507 when the disk is full, and accepts the same slug afterwards', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom')
    const cause = new SqlError('53100', 'could not write to file "pg_wal/xlogtemp.7"')
    world.schemas.failure = new SqlError('57P02', 'the connection was lost', { cause })
    const failed = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(failed).toMatchObject({ status: 507, body: { error: { code: 'disk_full' } } })
    expect(failed.body.error.message).toMatch(
      /^The disk .* is full .*Nothing was stored\. Free space/,
    )
    expect(world.observations.map(({ kind }) => kind)).not.toContain('internalFailure')
    world.schemas.failing.clear()
    expect(await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })).toMatchObject({
      status: 201,
    })
  })

  it('keeps the slug reserved when a full disk also prevents the clean-up, and says so', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom').add('drop')
    world.schemas.failure = new SqlError('53100', 'could not extend file')
    const failed = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(failed).toMatchObject({ status: 507, body: { error: { code: 'disk_full' } } })
    expect(failed.body.error.message).toContain('Its slug is taken until then.')
  })

  it('leaves nothing behind when the keys cannot be minted', async () => {
    const mint = () => Promise.reject(new Error('no entropy'))
    const world = createControlWorld()
    const { tenants, groupKey, groupId } = await setUpVendor(world)
    Object.assign(world.deps.credentials.projectKeys, { mint })
    const answer = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(answer.status).toBe(500)
    expect(world.schemas.schemas.has('proj_north')).toBe(false)
    expect(world.stores.tenants.countOccupied(groupId as never)).toBe(0)
  })

  it('answers 500 and undoes everything while provision_fails is armed', async () => {
    const world = createControlWorld()
    const { tenants, groupKey, projectId } = await setUpVendor(world)
    world.stores.projects.switches.arm(projectId as never, 'provision_fails')
    const failed = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect(failed.status).toBe(500)
    expect(world.stores.projects.isSlugTaken('north')).toBe(false)
    expect(world.schemas.schemas.has('proj_north')).toBe(false)
  })

  it.each(['template_deleted', 'template_dedicated_misaligned'] as const)(
    'answers template_indisponivel while %s is armed and creates nothing',
    async (situation) => {
      const world = createControlWorld()
      const { tenants, groupKey, projectId } = await setUpVendor(world)
      world.stores.projects.switches.arm(projectId as never, situation)
      const answer = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: 'template_indisponivel' } },
      })
      expect(world.stores.projects.isSlugTaken('north')).toBe(false)
    },
  )
})

describe('GET /groups/v1/:group_id/tenants', () => {
  it('pages through active tenants, newest first', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    await provision(world, tenants, groupKey, ['a', 'b', 'c', 'd'])
    await world.send(`DELETE ${tenants}/c`, groupKey)
    const answer = await world.send(`GET ${tenants}?limit=2&offset=1`, groupKey)
    expect(answer.body).toEqual({
      tenants: ['b', 'a'].map((slug) => ({
        id: expect.stringMatching(/^ten_/),
        slug,
        external_id: null,
        created_at: '2026-09-01T00:00:00.000Z',
      })),
      total: 3,
      limit: 2,
      offset: 1,
    })
  })

  it('starts at 0 and returns 50 tenants by default', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`GET ${tenants}`, groupKey)
    expect(answer.body).toEqual({ tenants: [], total: 0, limit: 50, offset: 0 })
  })

  it.each(['limit=1&limit=2'])('refuses ?%s', async (query) => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`GET ${tenants}?${query}`, groupKey)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(answer.body.details).toBeDefined()
  })

  it('accepts ?offset=9007199254740991', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`GET ${tenants}?offset=9007199254740991`, groupKey)
    expect(answer.status).toBe(200)
  })
})

describe('GET /groups/v1/:group_id/tenants/:ref', () => {
  it('finds a tenant by id and by slug, without keys', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const { body } = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    const byId = await world.send(`GET ${tenants}/${body.tenant.id}`, groupKey)
    const bySlug = await world.send(`GET ${tenants}/north`, groupKey)
    expect(byId.body).toEqual(bySlug.body)
    expect(byId.body).toMatchObject(body.tenant)
    expect(JSON.stringify(byId.body)).not.toMatch(/key/)
  })
})

describe('DELETE /groups/v1/:group_id/tenants/:slug', () => {
  it('takes the tenant offline and keeps its schema, keys and slug', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    const removed = await world.send(`DELETE ${tenants}/north`, groupKey)
    const fetched = await world.send(`GET ${tenants}/north`, groupKey)
    const again = await world.send(`DELETE ${tenants}/north`, groupKey)
    const repeated = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect([removed.status, removed.body]).toEqual([200, { ok: true }])
    expect([fetched.status, again.status, repeated.status]).toEqual([404, 404, 409])
    expect(world.schemas.schemas.has('proj_north')).toBe(true)
    expect(world.stores.projects.findProjectBySlug('north')?.state).toBe('deleted')
  })

  it('notifies the services that the project is offline', async () => {
    const world = createControlWorld()
    const offline: string[] = []
    world.deps.lifecycle.listen({ offline: (project) => offline.push(project.schemaName) })
    const { tenants, groupKey } = await setUpVendor(world)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    await world.send(`DELETE ${tenants}/north`, groupKey)
    expect(offline).toEqual(['proj_north'])
  })
})

describe('credentials of group routes', () => {
  it.each([
    ['nothing', () => undefined, 401, 'unauthorized'],
    ['noise', () => 'sdb_gk_unknown', 401, 'unauthorized'],
    ['a session token', (v: { session: string }) => v.session, 401, 'unauthorized'],
  ])('refuse %s', async (_what, credential, status, code) => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    const answer = await world.send(`GET ${vendor.tenants}`, credential(vendor))
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

async function provision(
  world: ControlWorld,
  tenants: string,
  groupKey: string,
  slugs: readonly string[],
): Promise<void> {
  for (const slug of slugs) await world.send(`POST ${tenants}`, groupKey, { slug })
}
