// Changes that the inspector makes while `tenantry dev` runs: rehearsed on all tenants, applied as a step after a snapshot, and
// undone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLUBS, type FollowedClubs, followClubs, TEMPLATE } from '../../support/followed-clubs.ts'
import type { Json } from '../../support/test-emulator.ts'

const ALL_OK = Object.fromEntries([TEMPLATE, ...CLUBS].map((slug) => [slug, true]))

function bySlug<Fact>(projects: readonly Json[], fact: (project: Json) => Fact): Json {
  return Object.fromEntries(projects.map((project) => [project.slug, fact(project)]))
}

const POLICY = 'create policy everybody on rooms for select to authenticated using (true)'

describe('the inspector', () => {
  let clubs: FollowedClubs
  beforeAll(async () => {
    clubs = await followClubs()
  })
  afterAll(() => clubs?.close())

  const post = async (project: string, action: string, body: object): Promise<Json> => {
    const path = `/_emulator/v1/projects/${project}/changes/${action}`
    const answer = await clubs.call('POST', path, { body })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const ask = async (project: string, sql: string): Promise<Json> => {
    const answer = await clubs.call('POST', `/_emulator/v1/projects/${project}/sql`, {
      body: { sql, identity: 'owner' },
    })
    expect(answer.body.error, answer.text).toBeNull()
    return answer.body.results.at(-1).rows
  }
  const policies = (project: string) =>
    ask(
      project,
      "select policyname from pg_policies where policyname = 'everybody' and schemaname = current_schema()",
    )
  const snapshots = async (): Promise<readonly string[]> =>
    (await clubs.call('GET', '/_emulator/v1/snapshots')).body.snapshots.map(
      ({ name }: Json) => name,
    )

  it('names the step folder, the template and the number of tenants that a change can reach', async () => {
    const { body } = await clubs.call('GET', '/_emulator/v1/projects/club_a/steps')
    expect(body).toEqual({
      folder: clubs.folder,
      reaches_project: false,
      template: TEMPLATE,
      tenants: CLUBS.length,
    })
  })

  it('tries statements in one project, and rolls them back', async () => {
    const tried = await post('club_a', 'rehearse', {
      title: 'Rooms',
      sql: POLICY,
      reach: 'project',
    })
    expect(tried).toMatchObject({ ok: true, file: null })
    expect(tried.projects).toMatchObject([
      {
        slug: 'club_a',
        visibility: [
          { table: 'rooms', identity: 'new user', gained: 2, lost: 0 },
          { table: 'rooms', identity: 'ana@cluba.test', gained: 2, lost: 0 },
        ],
        losses: [],
      },
    ])
    expect(await policies('club_a')).toEqual([])
    const refused = await post('club_a', 'rehearse', {
      title: 'Rooms',
      sql: 'alter table rooms\n  add column name text',
      reach: 'project',
    })
    expect(refused).toMatchObject({
      ok: false,
      projects: [{ error: { code: '42701' }, step: null, line: 1 }],
    })
  })

  it('names the identities whose rows it compares, with the given one', async () => {
    const order = { title: 'Rooms', sql: POLICY, reach: 'project' }
    const [usual] = (await post('club_a', 'rehearse', order)).projects
    expect(usual).toMatchObject({ compared: ['anon', 'new user', 'ana@cluba.test'], users: 1 })
    const identity = { kind: 'user', user: usual.compared[2] }
    const [given] = (await post('club_a', 'rehearse', { ...order, identity })).projects
    expect(given.compared).toEqual(usual.compared)
    const unknown = { kind: 'user', user: 'unknown@cluba.test' }
    const answer = await clubs.call('POST', '/_emulator/v1/projects/club_a/changes/rehearse', {
      body: { ...order, identity: unknown },
    })
    expect(answer.status).toBe(404)
  })

  it('counts the rows that would lose a value', async () => {
    const order = { title: 'Drop name', sql: 'alter table rooms drop column name' }
    const here = await post('club_a', 'rehearse', { ...order, reach: 'project' })
    expect(here.projects[0].losses).toMatchObject([{ table: 'rooms', column: 'name', rows: 2 }])
    const all = await post('club_a', 'rehearse', { ...order, reach: 'all' })
    expect(bySlug(all.projects, ({ losses }) => losses.length)).toEqual({
      ...Object.fromEntries(CLUBS.map((slug) => [slug, 1])),
      [TEMPLATE]: 0,
    })
  })

  it('applies a step to the template and all tenants, and undoes it', async () => {
    const order = { title: 'Members see rooms', sql: POLICY, reach: 'all' }
    const rehearsed = await post('club_a', 'rehearse', order)
    expect(rehearsed.file).toMatch(/^\d{14}_members_see_rooms\.sql$/)
    expect(rehearsed.projects[0].slug).toBe(TEMPLATE)
    expect(bySlug(rehearsed.projects, ({ ok }) => ok)).toEqual(ALL_OK)
    expect(clubs.steps()).toHaveLength(1)
    const applied = await post('club_a', 'apply', order)
    expect(applied).toMatchObject({
      ok: true,
      snapshot: expect.stringMatching(/^before-members_see_rooms-\d{14}$/),
    })
    expect(clubs.steps().at(-1)).toBe(basename(applied.path))
    expect(readFileSync(applied.path, 'utf8')).toBe(`-- Members see rooms\n\n${POLICY}\n`)
    for (const slug of [TEMPLATE, ...CLUBS]) expect(await policies(slug)).toEqual([['everybody']])
    expect(await snapshots()).toContain(applied.snapshot)

    await ask('club_b', "insert into rooms values (3, 'Cellar')")
    const { snapshot } = applied
    const refused = await post('club_a', 'undo', { snapshot })
    expect(refused).toEqual({
      undone: false,
      later: 1,
      sentence: '1 change since then would be lost: 1 row in rooms of club_b.',
      removed: null,
    })
    expect(await policies('club_c')).toEqual([['everybody']])
    const undone = await post('club_a', 'undo', { snapshot, losing: refused.later })
    expect(undone).toMatchObject({ undone: true, removed: applied.path })
    expect(existsSync(applied.path)).toBe(false)
    for (const slug of [TEMPLATE, ...CLUBS]) expect(await policies(slug)).toEqual([])
    expect(await ask('club_b', 'select count(*) from rooms')).toEqual([['2']])
    const again = await clubs.call('POST', '/_emulator/v1/projects/club_a/changes/undo', {
      body: { snapshot },
    })
    expect(again.body.error.code).toBe('not_found')
  })

  it('writes no step and keeps no snapshot when the template refuses the change', async () => {
    const before = await snapshots()
    const order = { title: 'Broken', sql: 'alter table halls add column name text', reach: 'all' }
    const applied = await post('club_a', 'apply', order)
    expect(applied).toMatchObject({ ok: false, path: null, snapshot: null })
    expect(applied.projects[0]).toMatchObject({ slug: TEMPLATE, error: { code: '42P01', line: 3 } })
    expect(clubs.steps()).toHaveLength(1)
    expect(await snapshots()).toEqual(before)
  })

  it('only records the step in a tenant that already has the change', async () => {
    await ask('club_c', 'alter table rooms add column seats int')
    const order = {
      title: 'Seats',
      sql: 'alter table rooms add column seats int',
      reach: 'all',
      recorded_in: ['club_c'],
    }
    const rehearsed = await post(TEMPLATE, 'rehearse', order)
    expect(rehearsed).toMatchObject({ ok: true })
    expect(rehearsed.projects).toHaveLength(CLUBS.length)
    const applied = await post(TEMPLATE, 'apply', order)
    expect(bySlug(applied.projects, ({ ok }) => ok)).toEqual(ALL_OK)
    const { body: fleet } = await clubs.call('GET', '/_emulator/v1/groups/clubs/fleet')
    for (const tenant of fleet.tenants) expect(tenant.facts.steps.pending).toBe(0)
    await post(TEMPLATE, 'undo', { snapshot: applied.snapshot })
  })

  it('runs statements in one project, and undoes them', async () => {
    const order = {
      title: 'Seats',
      sql: 'alter table rooms add column chairs int',
      reach: 'project',
    }
    const applied = await post('club_a', 'apply', order)
    expect(applied).toMatchObject({
      ok: true,
      path: null,
      projects: [{ slug: 'club_a', ok: true }],
    })
    expect(clubs.steps()).toHaveLength(1)
    expect(await post('club_a', 'undo', { snapshot: applied.snapshot })).toEqual({
      undone: true,
      later: 0,
      sentence: null,
      removed: null,
    })
  })

  // The folder has a step with a future version, so new steps get the following versions instead of the current time.
  it('gives changes of the same second different versions, and undoes the newest change', async () => {
    writeFileSync(join(clubs.folder, '20991231000000_later.sql'), '-- no statement yet\n')
    const columns = ['first', 'second', 'third']
    const apply = (name: string | undefined) =>
      post('club_a', 'apply', {
        title: 'Same title',
        sql: `alter table rooms add column ${name} int`,
        reach: 'all',
      })
    const together = await Promise.all(columns.slice(0, 2).map(apply))
    const all = [...together, await apply(columns[2])]
    expect(all.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(clubs.steps().slice(-3)).toEqual([
      '20991231000001_same_title.sql',
      '20991231000002_same_title.sql',
      '20991231000003_same_title.sql',
    ])
    expect(new Set(all.map(({ snapshot }) => snapshot)).size).toBe(3)
    const { snapshot, path } = all[2]
    expect(await post('club_a', 'undo', { snapshot })).toMatchObject({
      undone: true,
      removed: path,
    })
    const left = await ask(
      'club_b',
      "select attname from pg_attribute where attrelid = 'rooms'::regclass and attnum > 2 and not attisdropped order by 1",
    )
    expect(left).toEqual([['first'], ['second']])
  })
})
