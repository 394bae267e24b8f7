// One emulator with two tenants, realtime tokens, the unmodified client library, and plain sockets that send frames.
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import WebSocket from 'ws'
import type { EmulatorConfig, Observation } from '../../emulator/index.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
  userToken,
} from './test-emulator.ts'
import { until } from './until.ts'
import { emulatorOf } from './worker-emulator.ts'

export type Vsn = '1.0.0' | '2.0.0'

export interface RealtimeWorld extends AsyncDisposable {
  readonly at: TestEmulator
  readonly tenant: TestTenant
  readonly neighbour: TestTenant
  /** The address `ws://…/realtime/v1` from the answer with the token. */
  readonly socketUrl: string
  /** All observations of the emulator, in order. */
  readonly seen: readonly Observation[]
  /** Returns a new channel name. */
  freshName(): string
  /** Exchanges a credential for a realtime token. */
  tokenFor(credential: string): Promise<string>
  /** A realtime token of a user of the tenant. */
  userToken(userId?: string): Promise<string>
  client(token: string, vsn?: Vsn): RealtimeClient
  /** Opens a plain socket that has joined no channel. */
  bare(token: string, vsn?: Vsn): Promise<BareSocket>
  advance(seconds: number): Promise<void>
  /** Ends all clients. Otherwise a client of the library reconnects after a disconnection. */
  endClients(): Promise<void>
}

export const USER = '00000000-0000-4000-8000-00000000000a'
export const OTHER_USER = '00000000-0000-4000-8000-00000000000b'

export async function startRealtimeWorld(config?: EmulatorConfig): Promise<RealtimeWorld> {
  const seen: Observation[] = []
  const at = await emulatorOf(config, [(observation) => seen.push(observation)])
  const group = await createGroup(at, 'vendor')
  const tenant = await provisionTenant(at, group, 'acme')
  const neighbour = await provisionTenant(at, group, 'other')
  const open: (RealtimeClient | BareSocket)[] = []
  const socketUrl = `${at.url.replace('http', 'ws')}/realtime/v1`
  const endClients = async (): Promise<void> => {
    for (const each of open.splice(0)) await each.disconnect()
  }
  let rooms = 0
  const tokenFor = async (credential: string): Promise<string> => {
    const answer = await at.call('POST', '/rt/v1/token', { credential })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.token
  }
  return {
    at,
    tenant,
    neighbour,
    socketUrl,
    seen,
    freshName: () => `room${++rooms}`,
    tokenFor,
    userToken: async (userId = USER) => tokenFor(await userToken(at, tenant.slug, userId)),
    client: (token, vsn = '2.0.0') => {
      const client = new RealtimeClient(socketUrl, { params: { apikey: token }, vsn })
      open.push(client)
      return client
    },
    bare: async (token, vsn = '2.0.0') => {
      const socket = await openBareSocket(`${socketUrl}/websocket?apikey=${token}&vsn=${vsn}`, vsn)
      open.push(socket)
      return socket
    },
    advance: async (seconds) => {
      await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: seconds * 1_000 } })
    },
    endClients,
    [Symbol.asyncDispose]: async () => {
      await endClients()
      await at[Symbol.asyncDispose]()
    },
  }
}

/** Subscribes and waits for the outcome: `SUBSCRIBED`, or the reason of the refusal. */
export function subscribed(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => {
      resolve(error === undefined ? status : `${status} ${error.message}`)
    })
  })
}

export interface Frame {
  readonly joinRef: string | null | undefined
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: Json
}

export interface BareSocket {
  readonly ws: WebSocket
  /** The decoded text frames in the order of arrival. */
  readonly frames: readonly Frame[]
  readonly binary: readonly Buffer[]
  /** Sends a message. Returns the message's ref. */
  send(topic: string, event: string, payload?: Json, joinRef?: string): string
  /** Sends a message. Resolves with the payload of the reply. */
  ask(topic: string, event: string, payload?: Json, joinRef?: string): Promise<Json>
  join(name: string, config?: Json, accessToken?: string): Promise<Json>
  /** Waits for the first frame that `fits` accepts. */
  frame(fits: (frame: Frame) => boolean): Promise<Frame>
  /** Close code and reason of the connection. */
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>
  disconnect(): void
}

export async function openBareSocket(url: string, vsn: Vsn): Promise<BareSocket> {
  const ws = new WebSocket(url)
  const frames: Frame[] = []
  const binary: Buffer[] = []
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  ws.on('message', (bytes: Buffer, isBinary) => {
    if (isBinary) binary.push(bytes)
    else frames.push(decode(JSON.parse(bytes.toString())))
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('error', reject)
  })
  ws.on('error', () => undefined)
  let refs = 0
  const send: BareSocket['send'] = (topic, event, payload = {}, joinRef = '1') => {
    const ref = String(++refs)
    const message =
      vsn === '1.0.0'
        ? { topic, event, payload, ref, join_ref: joinRef }
        : [joinRef, ref, topic, event, payload]
    ws.send(JSON.stringify(message))
    return ref
  }
  const frame: BareSocket['frame'] = async (fits) => {
    await until(() => frames.some(fits))
    const found = frames.find(fits)
    if (found === undefined) throw new Error('unreachable')
    return found
  }
  const ask: BareSocket['ask'] = async (topic, event, payload, joinRef) => {
    const ref = send(topic, event, payload, joinRef)
    return (await frame((each) => each.event === 'phx_reply' && each.ref === ref)).payload
  }
  return {
    ws,
    frames,
    binary,
    send,
    ask,
    join: (name, config = {}, accessToken) =>
      ask(`realtime:${name}`, 'phx_join', {
        config,
        ...(accessToken === undefined ? {} : { access_token: accessToken }),
      }),
    frame,
    ended,
    disconnect: () => ws.terminate(),
  }
}

function decode(wire: Json): Frame {
  if (!Array.isArray(wire)) return { ...wire, joinRef: wire.join_ref }
  const [joinRef, ref, topic, event, payload] = wire
  return { joinRef, ref, topic, event, payload }
}
