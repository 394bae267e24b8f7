// GET /_emulator/v1/events with a reader that never reads: it loses its place in the ring and affects no other reader.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../support/event-stream.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

/** Sends requests without a key, which are refused before the engine. Each adds `length` characters to the journal. */
async function ask(count: number, length: number): Promise<void> {
  const target = `${at.url}/nothing?text=eq.${'x'.repeat(length)}`
  for (let sent = 0; sent < count; sent++) {
    await (await at.emulator.fetch(new Request(target))).arrayBuffer()
    // Lets timers run between two requests, as with a socket.
    await new Promise(setImmediate)
  }
}

async function openDeafReader(): Promise<Socket> {
  const { host, port } = new URL(at.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET /_emulator/v1/events HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  return socket
}

const isRequest = ({ kind, entry }: Json) => kind === 'request' && entry.target.includes('/nothing')

describe('a client of the event stream that never reads', () => {
  it('receives a gap and only the newest batches when it reads again', async () => {
    const deaf = await openDeafReader()
    await using other = await readEvents(at.url)
    await ask(2_000, 12_000)
    await until(() => other.events('request').filter(isRequest).length === 2_000)
    expect(other.events('gap')).toEqual([])
    let text = ''
    deaf.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    deaf.resume()
    const last = other.frames.at(-1)?.id
    await until(() => text.includes(`id: ${last}\n`))
    deaf.destroy()
    expect(text.match(/"kind":"gap"/g)).toHaveLength(1)
    expect(text.length).toBeLessThan(20 << 20)
  })

  it('does not prevent a hundred other clients from receiving every event', async () => {
    const deaf = await openDeafReader()
    const others = await Promise.all(Array.from({ length: 100 }, () => readEvents(at.url)))
    await ask(100, 10)
    for (const other of others)
      await until(() => other.events('request').filter(isRequest).length === 100)
    expect(others.flatMap((other) => other.events('gap'))).toEqual([])
    for (const other of others) await other[Symbol.asyncDispose]()
    deaf.destroy()
  })
})
