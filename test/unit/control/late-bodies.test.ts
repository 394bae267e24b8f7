// Changes of groups and projects while a request's body arrives. The routes check groups and projects again before they write.
import { describe, expect, it } from 'vitest'
import { lateBody } from '../../support/late-body.ts'
import { createControlWorld, setUpVendor } from './control-world.ts'

async function setUp() {
  const world = createControlWorld()
  const vendor = await setUpVendor(world)
  const { groupId, groupKey, projectId, session } = vendor
  return {
    world,
    ...vendor,
    group: `/platform/v1/groups/${groupId}`,
    project: `/platform/v1/projects/${projectId}`,
    publish: () => world.send(`POST /groups/v1/${groupId}/template/publish`, groupKey),
    removeGroup: () => world.send(`DELETE /platform/v1/groups/${groupId}`, session),
    removeProject: () => world.send(`DELETE /platform/v1/projects/${projectId}`, session),
  }
}

describe('a request whose body arrives late', () => {
  it('renames the group and keeps the template that was published meanwhile', async () => {
    const { group, publish, session, world } = await setUp()
    const answer = await world.send(`PATCH ${group}`, session, lateBody({ name: 'New' }, publish))
    expect(answer.body).toMatchObject({ name: 'New', template_project_id: 'proj_clinic_v2' })
  })

  it('clones a tenant from the template that was published meanwhile', async () => {
    const { groupKey, publish, tenants, world } = await setUp()
    await world.send(`POST ${tenants}`, groupKey, lateBody({ slug: 'north' }, publish))
    const template = world.stores.projects.findProjectBySlug('clinic_v2')
    const north = world.stores.projects.findProjectBySlug('north')
    expect(north && world.stores.tenants.findTenantOfProject(north.id)?.templateProjectId).toBe(
      template?.id,
    )
  })

  it.each([
    ['POST /groups/v1/:group/tenants', 403, 'forbidden'],
    ['POST /groups/v1/:group/template/publish', 403, 'forbidden'],
    ['POST /platform/v1/groups/:group/template/publish', 404, 'not_found'],
    ['POST /platform/v1/groups/:group/keys', 404, 'not_found'],
    ['PATCH /platform/v1/groups/:group', 404, 'not_found'],
  ])('is refused after the group was deleted: %s with %d', async (route, status, code) => {
    const { groupId, groupKey, removeGroup, session, world } = await setUp()
    const answer = await world.send(
      route.replace(':group', groupId),
      route.includes('/groups/v1/') ? groupKey : session,
      lateBody({ slug: 'north', name: 'New' }, removeGroup),
    )
    expect(answer).toMatchObject({ status, body: { error: { code } } })
  })

  it.each([
    ['POST', '/db/keys', 403],
    ['POST', '/buckets', 403],
    ['POST', '/db/exec', 403],
    ['PATCH', '', 404],
  ])('is refused after the project was removed: %s …%s with %d', async (method, path, status) => {
    const { project, removeProject, session, world } = await setUp()
    const body = lateBody({ name: 'new', sql: 'select 1' }, removeProject)
    const answer = await world.send(`${method} ${project}${path}`, session, body)
    expect([answer.status, world.executed]).toEqual([status, []])
  })
})

it('gives a tenant the new plan of its template when the plan changes during the clone', async () => {
  const { groupKey, project, session, tenants, world } = await setUp()
  const { provisionFrom } = world.schemas
  world.schemas.provisionFrom = async (...names) => {
    await world.send(`PATCH ${project}`, session, { plan: 'scale' })
    return provisionFrom.apply(world.schemas, names)
  }
  await world.send(`POST ${tenants}`, groupKey, { slug: 'north' })
  expect(world.stores.projects.findProjectBySlug('north')?.planTier).toBe('scale')
})
