// One socket over a connection in memory: order, idle limit, slow peers, and the interface to row changes.

import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { NO_SOCKET_FAULTS } from '../../../emulator/core/fault.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import type { JsonValue } from '../../../emulator/core/json.ts'
import { trusted } from '../../../emulator/core/names.ts'
import type { Observation } from '../../../emulator/core/observation.ts'
import type { Connection, ConnectionListener } from '../../../emulator/core/socket-service.ts'
import {
  epochMillis,
  HOUR_MILLIS,
  SECOND_MILLIS,
  toEpochSeconds,
} from '../../../emulator/core/time.ts'
import type { Channel } from '../../../emulator/services/realtime/channels/channel.ts'
import { Hub } from '../../../emulator/services/realtime/channels/hub.ts'
import { DEFAULT_LIMITS } from '../../../emulator/services/realtime/limits.ts'
import type {
  ChangeChannel,
  ChangeSubscriptions,
} from '../../../emulator/services/realtime/row-changes/change-subscriptions.ts'
import { Sockets } from '../../../emulator/services/realtime/sockets/open-sockets.ts'
import { DueWatch } from '../../../emulator/services/realtime/tokens/due-watch.ts'
import type { RealtimeToken } from '../../../emulator/services/realtime/tokens/realtime-token.ts'
import { NO_TRAFFIC } from '../../../emulator/services/realtime/traffic.ts'

const clock = new ManualClock(epochMillis(1_000_000))
const wallClock = new ManualClock(epochMillis(0))

function tokenOf(text: string): RealtimeToken {
  return {
    text,
    schemaName: trusted.schemaName('proj_a'),
    role: 'authenticated',
    subject: 'u',
    claims: {},
    claimsText: '{}',
    keyVersion: 1,
    expiresAt: toEpochSeconds(epochMillis(clock.now() + HOUR_MILLIS)),
  }
}

class MemoryConnection implements Connection {
  bufferedBytes = 0
  isPaused = false
  readonly sent: JsonValue[] = []
  readonly closes: string[] = []
  listener: ConnectionListener | undefined

  send(bytes: Uint8Array): void {
    this.sent.push(JSON.parse(Buffer.from(bytes).toString()))
  }

  close(code: number, reason: string): void {
    this.closes.push(`${code} ${reason}`)
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  hear(...frame: readonly JsonValue[]): void {
    this.listener?.onFrame(Buffer.from(JSON.stringify(frame)), false)
  }
}

let seen: Observation[]
let calls: string[]
let channels: ChangeChannel[]
let sockets: Sockets
const changes: ChangeSubscriptions = {
  open: (channel, requests) => {
    channels.push(channel)
    calls.push(`open ${channel.name} with ${requests.length}`)
    return {
      bindings: requests.map((request) => ({ ...request, id: 5 })),
      start: () => calls.push('start'),
      tokenChanged: () => calls.push(`token ${channel.token.text}`),
      close: () => calls.push('close'),
    }
  },
}

beforeEach(() => {
  seen = []
  calls = []
  channels = []
  sockets = new Sockets({
    hub: new Hub(),
    tokens: {
      read: (text) => Promise.resolve(tokenOf(text ?? '')),
      flawOf: () => Promise.resolve(undefined),
    },
    changes,
    watch: new DueWatch<Channel>(clock, () => undefined),
    limits: { ...DEFAULT_LIMITS, bufferedBytes: 100, maxBufferedBytes: 400 },
    faults: NO_SOCKET_FAULTS,
    traffic: NO_TRAFFIC,
    ids: new SeededIdSource('socket'),
    clock,
    wallClock,
    observe: (observation) => seen.push(observation),
  })
})

function connect(): MemoryConnection {
  const connection = new MemoryConnection()
  connection.listener = sockets.open(connection, { version: 2, token: tokenOf('own') })
  return connection
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const ok = (ref: string, topic: string, response: JsonValue = {}) => [
  '1',
  ref,
  topic,
  'phx_reply',
  { status: 'ok', response },
]
const join = (postgres_changes: JsonValue = []) => ({ config: { postgres_changes } })

describe('socket', () => {
  it('keeps the order of frames that arrive during a join', async () => {
    const peer = connect()
    peer.hear('1', '1', 'realtime:a', 'phx_join', join())
    expect(peer.isPaused).toBe(true)
    peer.hear('1', '2', 'realtime:a', 'presence', {})
    peer.hear('1', '3', 'phoenix', 'heartbeat', {})
    await settled()
    expect(peer.sent).toEqual([
      ok('1', 'realtime:a', { postgres_changes: [] }),
      ok('2', 'realtime:a'),
      ok('3', 'phoenix'),
    ])
    expect(peer.isPaused).toBe(false)
  })

  it('closes a peer that sends no frame for a minute of wall time', () => {
    const silent = connect()
    const beating = connect()
    for (let beat = 0; beat < 3; beat += 1) {
      wallClock.advance(25 * SECOND_MILLIS)
      beating.hear(null, '1', 'phoenix', 'heartbeat', {})
    }
    expect(silent.closes).toEqual([expect.stringMatching(/^1001 no heartbeat/)])
    expect(beating.closes).toEqual([])
    expect(sockets.countOf(trusted.schemaName('proj_a'))).toBe(1)
  })

  it('gives a slow peer five seconds to read', () => {
    const catchingUp = connect()
    const lagging = connect()
    for (const peer of [catchingUp, lagging]) {
      peer.bufferedBytes = 101
      peer.hear(null, '1', 'phoenix', 'heartbeat', {})
    }
    catchingUp.bufferedBytes = 100
    wallClock.advance(4 * SECOND_MILLIS)
    for (const peer of [catchingUp, lagging]) peer.hear(null, '2', 'phoenix', 'heartbeat', {})
    expect([...catchingUp.closes, ...lagging.closes]).toEqual([])
    wallClock.advance(6 * SECOND_MILLIS)
    expect(catchingUp.closes).toEqual([])
    expect(lagging.closes).toEqual(['1013 reads too slowly: 101 bytes waited'])
  })

  it('closes a peer that reads too slowly, and sends it nothing more', async () => {
    const peer = connect()
    peer.hear('1', '1', 'realtime:a', 'phx_join', join())
    await settled()
    peer.bufferedBytes = 401
    peer.hear(null, '2', 'phoenix', 'heartbeat', {})
    peer.hear(null, '3', 'phoenix', 'heartbeat', {})
    expect(peer.closes).toEqual(['1013 reads too slowly: 401 bytes waited'])
    expect(peer.sent).toHaveLength(1)
    expect(seen).toMatchObject([{ kind: 'realtimeSocketClosed', schemaName: 'proj_a' }])
  })

  it('keeps a subscription open from the join until the socket closes', async () => {
    const peer = connect()
    peer.hear('1', '1', 'realtime:a', 'phx_join', join([{ event: 'INSERT', table: 't' }]))
    await settled()
    expect(peer.sent).toEqual([
      ok('1', 'realtime:a', { postgres_changes: [{ event: 'INSERT', table: 't', id: 5 }] }),
    ])
    peer.hear('1', '2', 'realtime:a', 'access_token', { access_token: 'newer' })
    await settled()
    channels[0]?.tell('ok', 'Subscribed to PostgreSQL')
    expect(peer.sent.at(-1)).toEqual([
      null,
      null,
      'realtime:a',
      'system',
      {
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
        channel: 'a',
      },
    ])
    peer.listener?.onClosed(1006)
    channels[0]?.tell('ok', 'nobody hears this')
    expect(calls).toEqual(['open a with 1', 'start', 'token newer', 'close'])
    expect(peer.sent).toHaveLength(2)
  })

  it('opens no subscription for a channel that requests no changes', async () => {
    const peer = connect()
    peer.hear('1', '1', 'realtime:a', 'phx_join', join())
    await settled()
    expect(calls).toEqual([])
  })
})
