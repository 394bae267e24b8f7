// A request sees a change of its key, user, policies or table at once, even when every cache is filled
// (docs/wire/credentials.md#data-plane-token).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, claimsOf, granted, startAuthWorld } from '../../support/auth-world.ts'
import { type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(`
    create table notes (id int primary key, text text);
    insert into notes values (1, 'one');
    alter table notes enable row level security;
    create policy everyone on notes using (true);
    create function all_notes() returns setof notes language plpgsql stable as $$begin return query select * from notes; end$$;
  `)
})
afterAll(() => world[Symbol.asyncDispose]())

const READ = '/notes?select=*&id=eq.1'

/** Reads the row as the user until every cache knows the request. Returns the token. */
async function warm(session: Json): Promise<string> {
  const token: string = session.data_plane_token
  for (let turn = 0; turn < 4; turn += 1)
    expect((await world.data('GET', READ, token)).body).toHaveLength(1)
  return token
}

describe('the next request sees', () => {
  it('a ban of the caller, and the end of the ban', async () => {
    const session = await world.freshUser()
    const token = await warm(session)
    await world.ban(session.user.id, '9999-01-01T00:00:00Z')
    expect((await world.data('GET', READ, token)).status).toBe(401)
    await world.ban(session.user.id, null)
    expect((await world.data('GET', READ, token)).status).toBe(200)
  })

  it('the expiry of the caller’s token', async () => {
    await world.clock({ freeze: true })
    const token = await warm(await world.freshUser())
    await world.advance(3_600)
    expect((await world.data('GET', READ, token)).status).toBe(401)
    await world.clock({ resume: true })
  })

  it('a changed policy', async () => {
    const token = await warm(await world.freshUser())
    await world.execute('alter policy everyone on notes using (id > 1)')
    expect((await world.data('GET', READ, token)).body).toEqual([])
    await world.execute('alter policy everyone on notes using (true)')
    expect((await world.data('GET', READ, token)).body).toHaveLength(1)
  })

  it('a changed table', async () => {
    const token = await warm(await world.freshUser())
    await world.execute('alter table notes add column more int default 7')
    expect((await world.data('GET', READ, token)).body).toEqual([{ id: 1, text: 'one', more: 7 }])
    await world.execute('alter table notes drop column more')
    expect((await world.data('GET', READ, token)).body).toEqual([{ id: 1, text: 'one' }])
  })

  it('a new column of the rows that a function returns', async () => {
    const token = await warm(await world.freshUser())
    const call = async () => (await world.data('GET', '/rpc/all_notes', token)).body
    for (let turn = 0; turn < 4; turn += 1) expect(await call()).toEqual([{ id: 1, text: 'one' }])
    await world.execute('alter table notes add column more int default 7')
    expect(await call()).toEqual([{ id: 1, text: 'one', more: 7 }])
    await world.execute('alter table notes drop column more')
    expect(await call()).toEqual([{ id: 1, text: 'one' }])
  })

  // PostgREST/postgrest#2620: Postgres keeps the types of a prepared statement's parameters.
  it('a changed type of a column that the request filters', async () => {
    const token = await warm(await world.freshUser())
    const find = (text: string) => world.data('GET', `/notes?text=eq.${text}`, token)
    for (let turn = 0; turn < 4; turn += 1) expect((await find('one')).body).toHaveLength(1)
    await world.execute('alter table notes alter column text type int using 5')
    expect((await find('5')).body).toEqual([{ id: 1, text: 5 }])
    expect((await find('one')).status).toBe(400)
    await world.execute("alter table notes alter column text type text using 'one'")
    expect((await find('one')).body).toEqual([{ id: 1, text: 'one' }])
  })

  it('a changed row', async () => {
    const token = await warm(await world.freshUser())
    await world.execute("update notes set text = 'two'")
    expect((await world.data('GET', READ, token)).body).toEqual([{ id: 1, text: 'two' }])
  })

  it.each([
    [
      'the session was ended',
      (session: Json) => world.auth('POST', '/signout', {}, session.access_token),
      401,
    ],
    [
      'the user is banned',
      (session: Json) => world.ban(session.user.id, '9999-01-01T00:00:00Z'),
      403,
    ],
  ])('at an auth route that %s', async (_, change, status) => {
    const session = await world.freshUser()
    const whoAmI = () => world.auth('GET', '/user', undefined, session.access_token)
    for (let turn = 0; turn < 3; turn += 1) expect((await whoAmI()).status).toBe(200)
    await change(session)
    expect((await whoAmI()).status).toBe(status)
  })

  it('at an auth route the expiry of the caller’s token', async () => {
    await world.clock({ freeze: true })
    const { access_token: token } = await world.freshUser()
    for (let turn = 0; turn < 3; turn += 1)
      expect((await world.auth('GET', '/user', undefined, token)).status).toBe(200)
    await world.advance(3_601)
    expect((await world.auth('GET', '/user', undefined, token)).status).toBe(401)
    await world.clock({ resume: true })
  })

  it('the regeneration of the project’s keys', async () => {
    const { at, group } = world
    const { anonKey, serviceRoleKey } = await provisionTenant(at, group, 'rekeyed')
    const ask = (apikey: string, credential: string) =>
      at.call('GET', '/', { headers: { apikey }, credential })
    for (let turn = 0; turn < 4; turn += 1)
      expect((await ask(anonKey, serviceRoleKey)).status).toBe(200)
    const path = `/platform/v1/projects/${claimsOf(anonKey).project_id}/keys/regenerate`
    const credential = (await at.emulator.ready(at.url)).platform.session_token
    const fresh = granted(await at.call('POST', path, { credential }))
    expect((await ask(anonKey, serviceRoleKey)).status).toBe(401)
    expect((await ask(fresh.anon_key, serviceRoleKey)).status).toBe(401)
    expect((await ask(fresh.anon_key, fresh.service_role_key)).status).toBe(200)
  })
})
