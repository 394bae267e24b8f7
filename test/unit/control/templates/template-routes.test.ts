import { describe, expect, it } from 'vitest'
import { createControlWorld, setUpVendor } from '../control-world.ts'

describe('POST …/template/publish', () => {
  it('answers the documented result of publishing', async () => {
    const world = createControlWorld()
    const vendor = await setUpVendor(world)
    await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
    const answer = await world.send(
      `POST /groups/v1/${vendor.groupId}/template/publish`,
      vendor.groupKey,
    )
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      template: { id: expect.any(String), slug: 'clinic_v2', name: expect.any(String) },
      source_project_slug: 'clinic',
      tables_copied: 3,
      foreign_keys: 2,
      tenants_na_versao_anterior: 1,
      aviso: expect.stringContaining('não se aplica aos tenants existentes'),
    })
  })

  it('names the versions after the original source: _v2, then _v3', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world)
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey, {})
    const answer = await world.send(`POST /platform/v1/groups/${groupId}/template/publish`, session)
    expect(answer.body).toMatchObject({
      template: { slug: 'clinic_v3' },
      source_project_slug: 'clinic',
    })
  })

  it('points the group to the new template', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world)
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    const answer = await world.send(`GET /platform/v1/groups/${groupId}`, session)
    expect(answer.body).toMatchObject({
      template_project_id: 'proj_clinic_v2',
      source: { slug: 'clinic' },
    })
  })

  it('gives a new version the changed plan of the current template', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world, { plan: 'free' })
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    await world.send('PATCH /platform/v1/projects/proj_clinic_v2', session, { plan: 'scale' })
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    expect(world.stores.projects.findProjectBySlug('clinic_v3')?.planTier).toBe('scale')
  })

  it('accepts a name and a slug', async () => {
    const world = createControlWorld()
    const { groupId, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey, {
      name: 'Summer',
      slug: 'summer',
    })
    expect(answer.body.template).toMatchObject({ name: 'Summer', slug: 'summer' })
  })

  it.each([
    [{ slug: 'Summer' }, 400, 'invalid_slug'],
    [{ slug: 'auth' }, 400, 'slug_reservado'],
    [{ slug: 'clinic' }, 409, 'slug_taken'],
    [{ name: 7 }, 400, 'invalid_request'],
    [[], 400, 'invalid_request'],
    ['{', 400, 'invalid_json'],
  ])('refuses %j with %i %s', async (body, status, code) => {
    const world = createControlWorld()
    const { groupId, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
  })

  it('gives simultaneous publications different versions, and keeps the last version', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world)
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)),
    )
    const group = await world.send(`GET /platform/v1/groups/${groupId}`, session)
    expect(answers.map((answer) => answer.body.template.slug).sort()).toEqual([
      'clinic_v2',
      'clinic_v3',
      'clinic_v4',
    ])
    expect(group.body.template_project_id).toBe('proj_clinic_v4')
  })

  it('answers fonte_indisponivel while source_out_of_sync is armed and creates nothing', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, projectId } = await setUpVendor(world)
    world.stores.projects.switches.arm(projectId as never, 'source_out_of_sync')
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'fonte_indisponivel' } } })
    expect(world.stores.projects.isSlugTaken('clinic_v2')).toBe(false)
  })

  it('answers fonte_indisponivel once the source is deleted', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world)
    await world.send('DELETE /platform/v1/projects/proj_clinic', session)
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'fonte_indisponivel' } } })
  })

  it('repairs a group whose template was deleted', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session, tenants } = await setUpVendor(world)
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    await world.send('DELETE /platform/v1/projects/proj_clinic_v2', session)
    const refused = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    const admitted = await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    expect([refused.status, admitted.status]).toEqual([409, 201])
  })

  it('leaves an unusable template behind while clone_incomplete is armed', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, projectId, session } = await setUpVendor(world)
    world.stores.projects.switches.arm(projectId as never, 'clone_incomplete')
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    const group = await world.send(`GET /platform/v1/groups/${groupId}`, session)
    const pointed = await world.send(`PATCH /platform/v1/groups/${groupId}`, session, {
      template_project_id: answer.body.project_id,
    })
    expect(answer).toMatchObject({
      status: 500,
      body: {
        error: { code: 'clone_incompleto' },
        project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug: 'clinic_v2',
      },
    })
    expect(group.body.template_project_id).toBe('proj_clinic')
    expect(pointed).toMatchObject({
      status: 409,
      body: { error: { code: 'template_indisponivel' } },
    })
  })

  it('leaves nothing behind when cloning fails', async () => {
    const world = createControlWorld()
    const { groupId, groupKey } = await setUpVendor(world)
    world.schemas.failing.add('cloneFrom')
    const answer = await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal' } } })
    expect(world.stores.projects.isSlugTaken('clinic_v2')).toBe(false)
  })
})

describe('GET /groups/v1/:group_id', () => {
  it('returns the group, its template and the version of each tenant', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, tenants } = await setUpVendor(world)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'south' })
    await world.send(`POST ${tenants}`, groupKey, { slug: 'west' })
    const answer = await world.send(`GET /groups/v1/${groupId}`, groupKey)
    expect(answer.body).toEqual({
      group: { id: groupId, slug: 'clinics', name: 'Clinics' },
      template: {
        slug: 'clinic_v2',
        congelado_em: '2026-09-01T00:00:00.000Z',
        tabelas: 3,
        foreign_keys: 2,
      },
      source: { slug: 'clinic' },
      tenants: { total: 3, na_versao_atual: 2, em_versao_anterior: 1, teto: 100 },
    })
  })

  it('returns no publication date and no earlier versions before the first publication', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, tenants } = await setUpVendor(world)
    await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
    const answer = await world.send(`GET /groups/v1/${groupId}`, groupKey)
    expect(answer.body).toMatchObject({
      template: { congelado_em: null },
      tenants: { na_versao_atual: 1, em_versao_anterior: 0 },
    })
  })

  it('returns null for a source that was deleted', async () => {
    const world = createControlWorld()
    const { groupId, groupKey, session } = await setUpVendor(world)
    await world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey)
    await world.send('DELETE /platform/v1/projects/proj_clinic', session)
    const answer = await world.send(`GET /groups/v1/${groupId}`, groupKey)
    expect(answer.body.source).toBeNull()
  })
})
