// Peers that break the protocol or occupy the engine do not affect other callers.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patiently } from '../../support/patience.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { until } from '../../support/until.ts'

let world: PostgresWorld
beforeAll(async () => {
  world = await startPostgresWorld('create table items (id integer primary key)')
})
afterAll(() => world[Symbol.asyncDispose]())

const int32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value >>> 0, at * 4)
  })
  return bytes
}
const startup = (user: string) => {
  const body = Buffer.from(`user\0${user}\0\0`)
  return Buffer.concat([int32(body.length + 8, 196_608), body])
}
const engineRestarts = async (): Promise<number> =>
  (await world.at.call('GET', '/_emulator/v1/health')).body.engine.restarts
const isWell = async () => expect(await world.rest('/items?limit=0')).toEqual([])

describe('at the start', () => {
  it('encryption is refused and the connection stays open', async () => {
    const bare = await world.socket()
    bare.socket.write(int32(8, 80_877_103))
    await until(() => bare.received() === 'N')
    bare.socket.write(int32(8, 80_877_104))
    await until(() => bare.received() === 'NN')
    bare.socket.write(startup('proj_north_owner'))
    await until(() => bare.received().includes('SCRAM-SHA-256'))
    bare.socket.destroy()
  })

  it.each([
    ['a length that is none', int32(3, 196_608), /08P01/],
    ['a length beyond reason', int32(0x7fffffff, 196_608), /08P01/],
    ['a web browser', Buffer.from('GET / HTTP/1.1\r\n\r\n'), /08P01/],
    ['an old protocol', int32(8, 131_072), /0A000/],
    ['no user', int32(9, 196_608, 0).subarray(0, 9), /28000/],
    [
      'a query instead of a password',
      Buffer.concat([startup('north'), Buffer.from('Q\0\0\0\x0dselect 1\0', 'latin1')]),
      /08P01/,
    ],
    [
      'a password of a megabyte',
      Buffer.concat([startup('north'), Buffer.from('p'), int32(1 << 20)]),
      /08P01/,
    ],
    [
      'SCRAM without sense',
      Buffer.concat([
        startup('north'),
        Buffer.from('p'),
        int32(25),
        Buffer.from('SCRAM-SHA-256\0'),
        int32(3),
        Buffer.from('xxx'),
      ]),
      /08P01/,
    ],
  ])('%s ends the connection with an error', async (_what, bytes, expected) => {
    const bare = await world.socket()
    bare.socket.write(bytes)
    await until(() => bare.isClosed())
    expect(bare.received()).toMatch(expected)
    await isWell()
  })

  it('half a packet, then silence or a closed connection, affects no other caller', async () => {
    const silent = await world.socket()
    silent.socket.write(startup('north').subarray(0, 9))
    const gone = await world.socket()
    gone.socket.write(startup('north').subarray(0, 3))
    gone.socket.destroy()
    await isWell()
    silent.socket.destroy()
  })
})

describe('a client that has logged in', () => {
  const streamOf = (client: unknown) =>
    (client as { connection: { stream: Socket } }).connection.stream

  it.each([
    ['a length beyond reason', Buffer.concat([Buffer.from('Q'), int32(0x7fffffff)])],
    ['a length that is none', Buffer.concat([Buffer.from('Q'), int32(1)])],
    ['a kind that is none', Buffer.concat([Buffer.from([0]), int32(4)])],
    ['a password out of season', Buffer.concat([Buffer.from('p'), int32(4)])],
    ['a Sync of twenty thousand bytes', Buffer.concat([Buffer.from('S'), int32(20_000)])],
  ])('is disconnected for %s', async (_what, bytes) => {
    const client = await world.client()
    const ended = new Promise((resolve) => client.once('error', resolve))
    streamOf(client).write(bytes)
    expect(await ended).toMatchObject({ code: '08P01' })
    await isWell()
  })

  it('can send COPY data outside COPY, and statements that end the transaction', async () => {
    const client = await world.client()
    streamOf(client).write(
      Buffer.concat([Buffer.from('d'), int32(8), Buffer.from('data'), Buffer.from('c'), int32(4)]),
    )
    await client.query('commit; rollback')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  it.each([
    ['a query without an end', 'Q', 'select 1'],
    ['a Parse of nothing', 'P', ''],
    ['a Bind that promises more than it has', 'B', '\0\0\0\0\x7f\xff'],
    ['an Execute without a portal', 'E', ''],
    ['a Describe of neither', 'D', 'x\0'],
    ['a call of no function', 'F', '\0\0'],
  ])('gets an error for %s', async (_what, kind, body) => {
    const client = await world.client()
    const restarts = await engineRestarts()
    const failed = new Promise((resolve) => {
      client.once('error', resolve)
      ;(client as unknown as { connection: NodeJS.EventEmitter }).connection.once(
        'errorMessage',
        resolve,
      )
    })
    const bytes = Buffer.from(body, 'latin1')
    streamOf(client).write(
      Buffer.concat([
        Buffer.from(kind),
        int32(bytes.length + 4),
        bytes,
        Buffer.from('S'),
        int32(4),
      ]),
    )
    expect(await failed).toMatchObject({ code: '08P01' })
    await isWell()
    expect(await engineRestarts()).toBe(restarts)
  })

  it('can send a hundred thousand messages at once without delaying other callers', async () => {
    const client = await world.client()
    const sync = Buffer.concat([Buffer.from('S'), int32(4)])
    streamOf(client).write(Buffer.concat(Array.from({ length: 100_000 }, () => sync)))
    const asked = performance.now()
    await isWell()
    expect(performance.now() - asked).toBeLessThan(patiently(4_000))
    streamOf(client).destroy()
  })

  // Removes the client's own parser after the login, because it would answer COPY.
  const bareStream = async () => {
    const stream = streamOf(await world.client())
    stream.removeAllListeners('data')
    let received = ''
    stream.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
    })
    return { stream, received: () => received }
  }
  const message = (kind: string, body = '') => {
    const bytes = Buffer.from(body, 'latin1')
    return Buffer.concat([Buffer.from(kind), int32(bytes.length + 4), bytes])
  }

  it.each([
    ['another query', 'Q', 'select 1\0'],
    ['a Bind', 'B', '\0\0\0\0\0\0\0\0'],
    ['its leave', 'X', ''],
  ])('is disconnected when it sends %s in the middle of a COPY', async (_what, kind, body) => {
    const { stream, received } = await bareStream()
    stream.write(Buffer.concat([message('Q', 'copy items from stdin\0'), message(kind, body)]))
    await new Promise((resolve) => stream.once('close', resolve))
    const type = Buffer.from(kind).toString('hex')
    expect(received()).toContain(`unexpected message type 0x${type} during COPY from stdin`)
    await isWell()
  })

  it('may send Sync and Flush in the middle of a COPY, which have no effect', async () => {
    const { stream, received } = await bareStream()
    stream.write(message('Q', 'copy items from stdin\0'))
    await until(() => received().startsWith('G'))
    stream.write(Buffer.concat([message('S'), message('H'), message('S')]))
    stream.write(Buffer.concat([message('d', '5\n'), message('c')]))
    stream.write(message('Q', `select 'the end'\0`))
    await until(() => received().includes('the end'))
    expect(received().split('Z\0\0\0\x05I')).toHaveLength(3)
    expect(await world.rest('/items?id=eq.5')).toEqual([{ id: 5 }])
    stream.destroy()
  })

  it('loses its transaction when it disconnects in the middle of a COPY', async () => {
    const client = await world.client()
    const stream = streamOf(client)
    const text = Buffer.from('copy items from stdin\0')
    stream.write(Buffer.concat([Buffer.from('Q'), int32(text.length + 4), text]))
    stream.write(Buffer.concat([Buffer.from('d'), int32(6), Buffer.from('7\n')]))
    await pause(100)
    stream.destroy()
    await isWell()
    expect(await world.rest('/items?id=eq.7')).toEqual([])
  })

  it('is cancelled only by a request with its secret', async () => {
    const client = await world.client()
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
    const sleeping = client.query('select pg_sleep(20)').then(
      () => 'slept',
      (error) => error.code,
    )
    const cancelWith = async (secret: number) => {
      const bare = await world.socket()
      bare.socket.write(int32(16, 80_877_102, processID, secret))
      await until(() => bare.isClosed())
    }
    await cancelWith(secretKey + 1)
    await pause(200)
    const asked = performance.now()
    await cancelWith(secretKey)
    expect(await sleeping).toBe('57014')
    expect(performance.now() - asked).toBeLessThan(patiently(5_000))
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  it('is disconnected when it is idle in a transaction while others wait too long', async () => {
    const client = await world.client()
    await client.query('begin; insert into items values (99)')
    const ended = new Promise((resolve) => client.once('error', resolve))
    const asked = performance.now()
    expect(await world.rest('/items?id=eq.99')).toEqual([])
    expect(performance.now() - asked).toBeGreaterThan(5_000)
    expect(await ended).toMatchObject({
      code: '25P03',
      hint: expect.stringMatching(/^The transaction had been open since 20\d\d-.*Z, and other/),
    })
  })

  it('gets a notice with the start time of the transaction that it waits for', async () => {
    const [holder, waiting] = [await world.client(), await world.client()]
    const notices: (string | undefined)[] = []
    waiting.on('notice', ({ message }) => notices.push(message))
    await holder.query('begin; insert into items values (98)')
    const counted = waiting.query('select 1 as one')
    await until(() => notices.length > 0)
    await holder.query('rollback')
    expect((await counted).rows).toEqual([{ one: 1 }])
    expect(notices).toEqual([
      expect.stringMatching(/^another session has an open transaction since 20\d\d-\d\d-\d\dT.*Z$/),
    ])
  })
})
