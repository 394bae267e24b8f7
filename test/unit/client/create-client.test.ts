// The addresses and headers that the client uses (docs/wire/platform.md#addresses).
import { expect, it } from 'vitest'
import {
  createDevice,
  createPlatform,
  openTab,
  sessionAnswer,
} from '../../support/client-device.ts'

const rows = createPlatform(() => [200, []])

it.each([
  ['http://auth.platform.test', 'http://api.platform.test/notes'],
  ['https://auth.platform.test/', 'https://api.platform.test/notes'],
  ['http://127.0.0.1:7357', 'http://127.0.0.1:7357/notes'],
])('derives the data address of %s', async (url, expected) => {
  await openTab(createDevice(), rows, { url }).from('notes').select()
  expect(rows.asked.at(-1)?.url).toBe(`${expected}?select=*`)
})

it.each(['shop', 'proj_shop'])('derives the schema name of project %s', async (project) => {
  const client = openTab(createDevice(), rows, { project })
  await client.from('notes').select()
  expect(rows.asked.at(-1)?.headers).toMatchObject({
    apikey: 'anon-key',
    authorization: 'Bearer anon-key',
    'accept-profile': 'proj_shop',
  })
  await client.from('notes').insert({ text: 'x' })
  expect(rows.asked.at(-1)?.headers).toMatchObject({ 'content-profile': 'proj_shop' })
})

it('calls functions, and reads from other schemas', async () => {
  const client = openTab(createDevice(), rows)
  await client.rpc('add', { a: 1 })
  expect(rows.asked.at(-1)).toMatchObject({
    method: 'POST',
    url: 'http://api.platform.test/rpc/add',
    headers: { 'content-profile': 'proj_shop' },
  })
  await client.schema('public').from('notes').select()
  expect(rows.asked.at(-1)?.headers).toMatchObject({ 'accept-profile': 'public' })
})

it('sends a request’s own credential instead of the client’s', async () => {
  await openTab(createDevice(), rows)
    .from('notes')
    .select()
    .setHeader('Authorization', 'Bearer mine')
  expect(rows.asked.at(-1)?.headers['authorization']).toBe('Bearer mine')
})

it('acts as the signed-in user', async () => {
  const session = sessionAnswer()
  const platform = createPlatform(({ url }) => [200, url.endsWith('/signin') ? session : []])
  const client = openTab(createDevice(), platform)
  await client.auth.signInWithPassword({ email: 'ana@example.com', password: 'secret' })
  await client.from('notes').select()
  expect(platform.asked.at(-1)?.headers).toMatchObject({
    apikey: 'anon-key',
    authorization: `Bearer ${session['data_plane_token']}`,
  })
})

it.each([
  ['auth.platform.test', 'key', 'shop', /auth address/],
  ['http://auth.platform.test', '', 'shop', /anon key/],
  ['http://auth.platform.test', 'key', 'Shop!', /project/],
])(
  'refuses the address %s with the key %j and the project %s, and names the invalid value',
  (url, key, project, sentence) => {
    expect(() => openTab(createDevice(), rows, { url, key, project })).toThrow(sentence)
  },
)

it('throws an error that names the replacement for channel()', () => {
  expect(() => openTab(createDevice(), rows).channel('room')).toThrow(/getRealtimeToken/)
})

it('exchanges the credential for a realtime token', async () => {
  const answer = { token: 't', url: 'ws://x', papel_de_origem: 'anon', expires_in: 3600 }
  const platform = createPlatform(() => [200, answer])
  expect(await openTab(createDevice(), platform).getRealtimeToken()).toEqual({
    data: answer,
    error: null,
  })
  expect(platform.asked.at(-1)).toMatchObject({
    method: 'POST',
    url: 'http://auth.platform.test/rt/v1/token',
    headers: { authorization: 'Bearer anon-key' },
  })
})
