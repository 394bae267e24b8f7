// An application without any library: five requests with fetch (docs/wire/auth.md#session,
// docs/wire/data-plane.md#gate).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(`
    create table notes (id serial primary key, owner uuid default auth.uid(), text text);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
  `)
})
afterAll(() => world[Symbol.asyncDispose]())

async function request(url: string, method: string, headers: object, body?: object): Promise<Json> {
  const asked = new Request(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // Avoids names below .localhost on the network, which not every resolver knows. Browsers know them.
  const isByName = asked.url.includes('.localhost')
  const response = await (isByName ? world.at.emulator.fetch(asked) : fetch(asked))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

it.each([
  ['the single origin', () => world.at.url],
  ['a host name', () => world.at.url.replace('127.0.0.1', 'auth.localhost')],
])('an app with plain fetch signs up, signs in and reads its rows at %s', async (_, addressOf) => {
  const authUrl = addressOf()
  const dataUrl = authUrl.replace('://auth.', '://api.')
  const { anonKey, slug, schemaName } = world.tenant
  const project = { apikey: anonKey, 'X-SuperDB-Project': slug }
  const credentials = { email: world.freshEmail(), password: 'correct horse' }

  const signedUp = await request(`${authUrl}/auth/v1/signup`, 'POST', project, credentials)
  const signedIn = await request(`${authUrl}/auth/v1/signin`, 'POST', project, credentials)
  const asUser = { apikey: anonKey, Authorization: `Bearer ${signedIn.body.data_plane_token}` }
  const written = await request(
    `${dataUrl}/notes`,
    'POST',
    { ...asUser, 'Content-Profile': schemaName, Prefer: 'return=minimal' },
    { text: 'mine' },
  )
  const mine = await request(`${dataUrl}/notes?select=text,owner`, 'GET', {
    ...asUser,
    'Accept-Profile': schemaName,
  })
  const visitor = await request(`${dataUrl}/notes`, 'GET', {
    apikey: anonKey,
    Authorization: `Bearer ${anonKey}`,
    'Accept-Profile': schemaName,
  })

  expect([signedUp.status, signedIn.status, written.status]).toEqual([200, 200, 201])
  expect(mine.body).toEqual([{ text: 'mine', owner: signedIn.body.user.id }])
  expect(visitor.body).toEqual([])
})
