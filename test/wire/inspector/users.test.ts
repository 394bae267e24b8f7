// /_emulator/v1/projects/:ref/users: lists of users, bans, deletion.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { type Answer, type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const base = (project = world.tenant.slug) => `/_emulator/v1/projects/${project}/users`
const users = (method: string, path: string, body?: unknown): Promise<Answer<Json>> =>
  world.at.call(method, `${base()}${path}`, body === undefined ? {} : { body })
const signIn = (email: string) => world.auth('POST', '/signin', { email, password: PASSWORD })

describe('a project’s users', () => {
  it('are listed newest first, page by page, with the total number', async () => {
    const other = await provisionTenant(world.at, world.group, 'listed')
    const signUp = async (name: string) =>
      granted(
        await world.at.call('POST', '/auth/v1/signup', {
          headers: { apikey: other.anonKey },
          body: { email: `${name}@x.test`, password: PASSWORD, full_name: name },
        }),
      )
    for (const name of ['ana', 'bia', 'cai']) {
      await signUp(name)
      await world.advance(1)
    }
    const page = await world.at.call('GET', `${base(other.slug)}?limit=2&offset=1`)
    expect(page.body).toMatchObject({
      total: 3,
      users: [
        {
          email: 'bia@x.test',
          user_metadata: { full_name: 'bia' },
          banned_until: null,
          identities: [{ provider: 'email' }],
        },
        { email: 'ana@x.test' },
      ],
    })
    const found = await world.at.call('GET', `${base(other.slug)}?search=CAI%40`)
    expect(found.body).toMatchObject({ total: 1, users: [{ email: 'cai@x.test' }] })
    const none = await world.at.call('GET', `${base(other.slug)}?search=%25`)
    expect(none.body).toEqual({ total: 0, users: [] })
  })

  it('can be banned until an instant of platform time, and their existing tokens are refused', async () => {
    const { user, data_plane_token: token, refresh_token } = await world.freshUser()
    granted(await world.execute('create table if not exists notes (id int)'))
    expect((await world.data('GET', '/notes', token)).status).toBe(200)
    const now = granted(await world.at.call('GET', '/_emulator/v1/clock')).now
    const until = new Date(Date.parse(now) + 600_000).toISOString()
    const banned = await users('PATCH', `/${user.id}`, { banned_until: until })
    expect(banned.body).toMatchObject({ id: user.id, banned_until: until })
    expect((await world.data('GET', '/notes', token)).status).toBe(401)
    expect(refusalOf(await signIn(user.email))).toBe('403 user_banned')
    expect(refusalOf(await world.auth('POST', '/token/refresh', { refresh_token }))).toBe(
      '403 user_banned',
    )
    await world.advance(601)
    expect((await world.data('GET', '/notes', token)).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(200)
  })

  it('can sign in again when the ban is lifted', async () => {
    const { user } = await world.freshUser()
    await users('PATCH', `/${user.id}`, { banned_until: '2999-01-01T00:00:00Z' })
    const lifted = await users('PATCH', `/${user.id}`, { banned_until: null })
    expect(lifted.body).toMatchObject({ banned_until: null })
    expect((await signIn(user.email)).status).toBe(200)
  })

  it('are deleted with their sessions and identities', async () => {
    const { user, data_plane_token: token } = await world.freshUser()
    expect((await users('DELETE', `/${user.id}`)).body).toEqual({
      deleted: true,
      sessions_revoked: 1,
      identities_deleted: 1,
    })
    expect((await world.data('GET', '/notes', token)).status).toBe(401)
    expect((await users('DELETE', `/${user.id}`)).status).toBe(404)
  })

  it('cannot be deleted while rows of the tenant refer to them', async () => {
    const { user } = await world.freshUser()
    await world.execute(
      `create table orders (user_id uuid references auth_users (id)); insert into orders values ('${user.id}')`,
    )
    const refused = await users('DELETE', `/${user.id}`)
    expect(refusalOf(refused)).toBe('409 conflict')
    expect(refused.body.error.message).toContain('orders')
    expect((await signIn(user.email)).status).toBe(200)
  })

  it.each([
    ['PATCH', '/no-uuid', { banned_until: null }, 404],
    ['PATCH', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11', { banned_until: null }, 404],
    ['PATCH', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11', { banned_until: 'tomorrow' }, 400],
    ['PATCH', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11', { email: 'a@b.c' }, 400],
    ['DELETE', '/no-uuid', undefined, 404],
    ['GET', '?limit=201', undefined, 400],
    ['GET', '?offset=-1', undefined, 400],
    ['GET', '?search=%00', undefined, 400],
  ])('cannot be managed with the invalid request %s %s', async (method, path, body, status) => {
    expect((await users(method, path, body)).status).toBe(status)
  })

  it('cannot be listed when the project was purged', async () => {
    const gone = await provisionTenant(world.at, world.group, 'gone')
    const purge = `/groups/v1/${world.group.id}/tenants/${gone.slug}/purge`
    granted(
      await world.at.call('DELETE', purge, {
        credential: world.group.key,
        body: { confirm_slug: gone.slug },
      }),
    )
    const answer = await world.at.call('GET', base(gone.slug))
    expect(refusalOf(answer)).toBe('404 not_found')
  })
})

describe('the order of users', () => {
  let slug: string
  beforeAll(async () => {
    const project = await provisionTenant(world.at, world.group, 'ordered')
    const post = async (path: string, body: object) =>
      granted(await world.at.call('POST', path, { headers: { apikey: project.anonKey }, body }))
    for (const name of ['zoe', 'ana', 'Mia']) {
      await world.advance(1)
      await post('/auth/v1/signup', {
        email: `${name}@x.test`,
        password: PASSWORD,
        full_name: name,
      })
    }
    await world.advance(1)
    await post('/auth/v1/signin', { email: 'zoe@x.test', password: PASSWORD })
    slug = project.slug
  })

  it.each([
    ['sort=created&order=asc', ['zoe', 'ana', 'Mia']],
    ['sort=address&order=asc', ['ana', 'Mia', 'zoe']],
    ['sort=seen', ['zoe', 'Mia', 'ana']],
  ])('follows the query: %s', async (query, names) => {
    const page = granted(await world.at.call('GET', `${base(slug)}?${query}`))
    expect(page.users.map(({ user_metadata: { full_name } }: Json) => full_name)).toEqual(names)
  })
})
