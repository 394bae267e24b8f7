// A token is accepted only as the text that was issued: base64url without padding (RFC 7515 §2, docs/wire/credentials.md#bearer).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: AuthWorld
let session: Json
let storageToken: string
let realtimeToken: string

beforeAll(async () => {
  world = await startAuthWorld()
  session = await world.freshUser()
  const exchange = async (path: string): Promise<string> =>
    (await world.at.call<Json>('POST', path, { credential: session.data_plane_token })).body.token
  storageToken = await exchange('/st/v1/token')
  realtimeToken = await exchange('/rt/v1/token')
})
afterAll(() => world[Symbol.asyncDispose]())

type Use = (spoil: (token: string) => string) => Promise<number>

const broadcast = { messages: [{ topic: 'room', event: 'e', payload: {} }] }
const uses: readonly (readonly [name: string, use: Use])[] = [
  [
    'a data_plane_token',
    async (spoil) => (await world.data('GET', '/', spoil(session.data_plane_token))).status,
  ],
  [
    'an access_token',
    async (spoil) =>
      (await world.auth('GET', '/user', undefined, spoil(session.access_token))).status,
  ],
  [
    'a storage token',
    async (spoil) => {
      const options = { credential: spoil(storageToken) }
      return (await world.at.call('GET', '/storage/v1/bucket', options)).status
    },
  ],
  [
    'a realtime token',
    async (spoil) => {
      const options = { credential: spoil(realtimeToken), body: broadcast }
      return (await world.at.call('POST', '/realtime/v1/api/broadcast', options)).status
    },
  ],
]

const SPOILED: readonly (readonly [name: string, spoil: (token: string) => string])[] = [
  ['padding at its end', (token) => `${token}==`],
  ['a foreign letter at its end', (token) => `${token}!`],
  [
    'other bits after its last byte',
    (token) => `${token.slice(0, -1)}${neighbourOf(token.at(-1))}`,
  ],
]
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns the letter that differs only in the lowest bit. At the end of a signature, this bit does not belong to a byte. */
function neighbourOf(letter = 'A'): string {
  return ALPHABET[ALPHABET.indexOf(letter) ^ 1] ?? ''
}

it.each(uses)('accepts %s as it was issued', async (_, use) => {
  expect(await use((token) => token)).toBeLessThan(300)
})

it.each(
  SPOILED.flatMap(([spoiling, spoil]) =>
    uses.map(([name, use]) => ({ name, spoiling, spoil, use })),
  ),
)('refuses $name with $spoiling', async ({ spoil, use }) => {
  expect(await use(spoil)).toBeGreaterThanOrEqual(400)
})
