// COPY over the Postgres port, with data in any pieces and at any time (PostgreSQL documentation, "COPY Operations").
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { until } from '../../support/until.ts'

let world: PostgresWorld
beforeAll(async () => {
  world = await startPostgresWorld('create table lines (id serial primary key, text text)')
})
afterAll(() => world[Symbol.asyncDispose]())

const message = (kind: string, body: string | Buffer = '') => {
  const bytes = Buffer.from(body as string)
  const header = Buffer.alloc(5)
  header.write(kind)
  header.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}
const SYNC = message('S')
const DONE = message('c')
const COPY = 'copy lines (text) from stdin\0'
const extended = (...end: readonly Buffer[]) => [
  message('P', `\0${COPY}\0\0`),
  message('B', '\0\0\0\0\0\0\0\0'),
  message('E', '\0\0\0\0\0'),
  ...end,
]

/** Returns the kinds of the messages that answer `packet`, up to the ReadyForQuery with number `readies`. */
async function answerTo(packet: readonly Buffer[], readies = 1): Promise<string> {
  const client = await world.client()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let rest = Buffer.alloc(0)
  let kinds = ''
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      kinds += String.fromCharCode(rest[0] ?? 0)
      rest = rest.subarray(1 + rest.readUInt32BE(1))
    }
  })
  client.on('error', () => {})
  stream.write(Buffer.concat(packet))
  await until(() => kinds.split('Z').length > readies)
  stream.destroy()
  return kinds
}

describe('COPY FROM STDIN', () => {
  it.each([
    ['a query', 'one', [message('Q', COPY), message('d', 'one\n'), DONE], 1, 'GCZ'],
    ['an execution', 'two', extended(SYNC, message('d', 'two\n'), DONE, SYNC), 1, '12GCZ'],
    ['one without a Sync', 'three', extended(message('d', 'three\n'), DONE, SYNC), 1, '12GCZ'],
    [
      'a query that another precedes and another follows',
      'four',
      [
        message('Q', 'select 1\0'),
        message('Q', COPY),
        message('d', 'fo'),
        message('d', 'ur\n'),
        DONE,
        message('Q', 'select 2\0'),
      ],
      3,
      'TDCZGCZTDCZ',
    ],
  ])('accepts data that is in one packet with %s', async (_how, text, packet, readies, kinds) => {
    expect(await answerTo(packet, readies)).toBe(kinds)
    expect(await world.rest(`/lines?select=text&text=eq.${text}`)).toEqual([{ text }])
  })

  it('ignores data that arrives with a statement other than COPY', async () => {
    const packet = [message('Q', 'select 1\0'), message('d', 'nobody\n'), DONE]
    expect(await answerTo([...packet, message('Q', 'select 2\0')], 2)).toBe('TDCZTDCZ')
    expect(await world.rest('/lines?text=eq.nobody')).toEqual([])
  })
})
