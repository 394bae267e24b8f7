import { describe, expect, it } from 'vitest'
import { createControlWorld, setUpVendor } from '../control-world.ts'

describe('POST /platform/v1/groups', () => {
  it('answers the documented fields of a group', async () => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    const answer = await world.send('POST /platform/v1/groups', session, {
      name: 'Dentists',
      description: 'Teeth',
      template_project_id: 'proj_clinic',
      unknown: true,
    })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^grp_[a-z2-7]{20}$/),
      name: 'Dentists',
      description: 'Teeth',
      template_project_id: 'proj_clinic',
      tenant_count: 0,
      created_at: '2026-09-01T00:00:00.000Z',
    })
  })

  it.each([
    [{ name: 7, template_project_id: 'proj_clinic' }, 400, 'invalid_request'],
    [{ name: 'a\0b', template_project_id: 'proj_clinic' }, 400, 'invalid_request'],
    [{ name: 'x', template_project_id: ['proj_clinic'] }, 400, 'invalid_request'],
    [{ name: 'x', template_project_id: 'clinic' }, 400, 'invalid_request'],
    [{ name: 'x', template_project_id: 'proj_nowhere' }, 404, 'not_found'],
    [{ name: 'x', template_project_id: 'proj_foreign' }, 404, 'not_found'],
  ])('refuses %j with %i %s', async (body, status, code) => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
    const answer = await world.send('POST /platform/v1/groups', session, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
  })
})

describe('GET /platform/v1/groups', () => {
  it('lists id, name, tenant count and date of the account’s own groups, newest first', async () => {
    const world = createControlWorld()
    const { session, groupId } = await setUpVendor(world)
    await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
    const second = await world.send('POST /platform/v1/groups', session, {
      name: 'Dentists',
      template_project_id: 'proj_clinic',
    })
    const answer = await world.send('GET /platform/v1/groups', session)
    const created_at = '2026-09-01T00:00:00.000Z'
    expect(answer.body).toEqual([
      { id: second.body.id, name: 'Dentists', tenant_count: 0, created_at },
      { id: groupId, name: 'Clinics', tenant_count: 0, created_at },
    ])
  })
})

describe('/platform/v1/groups/:id', () => {
  it('returns template, source and key prefixes, but no key', async () => {
    const world = createControlWorld()
    const { session, groupId, groupKey, projectId } = await setUpVendor(world)
    const answer = await world.send(`GET /platform/v1/groups/${groupId}`, session)
    expect(answer.body).toMatchObject({
      id: groupId,
      description: 'Software for clinics',
      template_project_id: 'proj_clinic',
      template: { id: projectId, slug: 'clinic', name: 'Clinic' },
      source: { slug: 'clinic' },
      keys: [{ prefix: groupKey.slice(0, 14), label: null }],
    })
    expect(JSON.stringify(answer.body)).not.toContain(groupKey)
  })

  it.each(['GET', 'PATCH', 'DELETE'])(
    '%s does not find a group of another account',
    async (method) => {
      const world = createControlWorld()
      const { session } = await setUpVendor(world)
      const other = await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
      const answer = await world.send(
        `${method} /platform/v1/groups/${other.groupId}`,
        session,
        method === 'PATCH' ? {} : undefined,
      )
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    },
  )

  it('changes only the members in the request', async () => {
    const world = createControlWorld()
    const { session, groupId } = await setUpVendor(world)
    await world.send('POST /platform/v1/projects', session, { name: 'Lab' })
    const answer = await world.send(`PATCH /platform/v1/groups/${groupId}`, session, {
      template_project_id: 'proj_lab',
      description: null,
    })
    expect(answer.body).toMatchObject({
      name: 'Clinics',
      description: null,
      template_project_id: 'proj_lab',
    })
  })

  it('gives the tenants the plan of the new template', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    await world.send('POST /platform/v1/projects', vendor.session, { name: 'Lab', plan: 'free' })
    await world.send(`PATCH /platform/v1/groups/${vendor.groupId}`, vendor.session, {
      template_project_id: 'proj_lab',
    })
    expect(world.stores.projects.findProjectBySlug('north')?.planTier).toBe('free')
  })

  it('deletes an empty group and its keys, and answers 204', async () => {
    const world = createControlWorld()
    const { session, groupId, groupKey, tenants } = await setUpVendor(world)
    const deleted = await world.send(`DELETE /platform/v1/groups/${groupId}`, session)
    const used = await world.send(`GET ${tenants}`, groupKey)
    expect([deleted.status, deleted.body, used.status]).toEqual([204, undefined, 401])
  })

  it('deletes a group whose tenants are all removed', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    await world.send(`DELETE ${vendor.tenants}/north`, vendor.groupKey)
    const answer = await world.send(`DELETE /platform/v1/groups/${vendor.groupId}`, vendor.session)
    expect(answer.status).toBe(204)
  })
})

describe('/platform/v1/groups/:id/keys', () => {
  it('shows the clear text once and lists prefixes afterwards', async () => {
    const world = createControlWorld()
    const { session, groupId } = await setUpVendor(world)
    const path = `/platform/v1/groups/${groupId}/keys`
    const minted = await world.send(`POST ${path}`, session, { label: 'deploy' })
    const listed = await world.send(`GET ${path}`, session)
    expect(minted.status).toBe(201)
    expect(minted.body.key).toMatch(/^sdb_gk_[A-Za-z0-9_-]{43}$/)
    const { key, ...shown } = minted.body
    expect(listed.body[0]).toEqual(shown)
  })

  it('accepts a missing body', async () => {
    const world = createControlWorld()
    const { session, groupId } = await setUpVendor(world)
    const answer = await world.send(`POST /platform/v1/groups/${groupId}/keys`, session)
    expect(answer.status).toBe(201)
  })

  it('revokes a key at once, and only once', async () => {
    const world = createControlWorld()
    const { session, groupId, groupKey, tenants } = await setUpVendor(world)
    const path = `/platform/v1/groups/${groupId}/keys`
    const [{ id }] = (await world.send(`GET ${path}`, session)).body
    const revoked = await world.send(`DELETE ${path}/${id}`, session)
    const used = await world.send(`GET ${tenants}`, groupKey)
    const again = await world.send(`DELETE ${path}/${id}`, session)
    expect([revoked.status, used.status, again.status]).toEqual([204, 401, 404])
  })

  it('does not revoke the key of another group', async () => {
    const world = createControlWorld()
    const { session } = await setUpVendor(world)
    const other = await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
    const [{ id }] = (
      await world.send(`GET /platform/v1/groups/${other.groupId}/keys`, other.session)
    ).body
    const own = (await world.send('GET /platform/v1/groups', session)).body[0].id
    const answer = await world.send(`DELETE /platform/v1/groups/${own}/keys/${id}`, session)
    expect(answer.status).toBe(404)
  })
})
