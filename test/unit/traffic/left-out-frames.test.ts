// Binary broadcasts: a recording keeps their channel and event, masks JSON payloads, and omits other payloads. A replay sends
// zeros instead of omitted payloads.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { compareEvents } from '../../../emulator/workflow/traffic/compare/compare-events.ts'
import type { Comparing } from '../../../emulator/workflow/traffic/compare/comparing.ts'
import { Correspondence } from '../../../emulator/workflow/traffic/compare/correspondence.ts'
import { mapFrame } from '../../../emulator/workflow/traffic/compare/frames.ts'
import { timeRules } from '../../../emulator/workflow/traffic/compare/time-rules.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { until } from '../../support/until.ts'

/** A client's broadcast to `realtime:a` (docs/wire/realtime.md#frames). */
function broadcast(payload: Buffer, encoding: 0 | 1): Buffer {
  const texts = ['1', '2', 'realtime:a', 'moved', '']
  const lengths = texts.map((text) => text.length)
  return Buffer.concat([
    Buffer.from([3, ...lengths, encoding]),
    Buffer.from(texts.join('')),
    payload,
  ])
}

const EPOCH = { start: 0, now: 0, duration: 0 }
function comparing(): Comparing {
  return {
    pairs: new Correspondence(),
    times: timeRules({ recorded: EPOCH, replayed: EPOCH, dataFrom: 0 }, []),
    recordedNow: 0,
    route: '',
    claimsOf: () => undefined,
    moved: (text) => text,
  }
}

it('a recording masks JSON in a binary broadcast, and a replay sends any other payload as zeros', async () => {
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (peer) =>
    peer.on('message', (bytes) => peer.send(bytes, { binary: true })),
  )
  const server = createServer().on('upgrade', (incoming, socket, head) =>
    sockets.handleUpgrade(incoming, socket, head, (peer) =>
      sockets.emit('connection', peer, incoming),
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await using proxy = await startRecordingProxy(`http://127.0.0.1:${port}`)
  const peer = new WebSocket(`${proxy.url.replace('http', 'ws')}/realtime/v1/websocket`)
  await new Promise((resolve) => peer.once('open', resolve))
  const hidden = Buffer.from('hidden in UTF-16', 'utf16le')
  const sent = [broadcast(Buffer.from('{"token":"hidden","x":1}'), 1), broadcast(hidden, 0)]
  let echoes = 0
  peer.on('message', () => {
    echoes += 1
  })
  for (const frame of sent) peer.send(frame)
  await until(() => echoes === 2)
  peer.close()
  await until(() => proxy.entries.length === 1)
  server.close()

  const frames = proxy.entries[0]?._webSocketMessages ?? []
  const [masked, leftOut] = frames.filter(({ type }) => type === 'send')
  expect(Buffer.from(masked?.data ?? '', 'base64')).toEqual(
    broadcast(Buffer.from('{"token":"masked~secret~1","x":1}'), 1),
  )
  if (leftOut === undefined) throw new Error('the second frame is not recorded')
  const zeros = broadcast(Buffer.alloc(hidden.length), 0)
  expect(mapFrame(leftOut, (text) => text)).toEqual(zeros)

  const recorded = frames.filter(({ type, _size }) => type === 'receive' && _size !== undefined)
  const replayed = (bytes: Buffer) => [{ opcode: 2 as const, data: bytes.toString('base64') }]
  expect(compareEvents(recorded, replayed(zeros), comparing()).differences).toEqual([])
  const longer = broadcast(Buffer.alloc(hidden.length + 1), 0)
  expect(compareEvents(recorded, replayed(longer), comparing()).differences).toMatchObject([
    { kind: 'value', recorded: '32 bytes', replayed: '33 bytes' },
  ])
})
