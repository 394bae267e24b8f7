// The realtime lane of the traffic. Each tenant has one client that subscribes to row changes and broadcasts. Some clients never
// read.
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import type { ReadyTenant } from '../../../emulator/index.ts'
import { isLate } from '../machine.ts'
import type { Random } from '../random.ts'
import { requireThat } from '../scenario.ts'
import type { Lane } from './lanes.ts'
import { ask, type Stage } from './stage.ts'

interface Listener {
  readonly ws: WebSocket
  readonly tenant: ReadyTenant
  changes: number
  heard: number
}

const ECHOED_WITHIN_MILLIS = 30_000
const TOPIC = 'realtime:soak'
let casts = 0

/** Creates the realtime lane for one stage. */
export function createListeners(): Lane & { readonly heard: () => number } {
  const open = new Map<string, Listener>()
  let heard = 0
  return {
    name: 'realtime',
    pauseMillis: 300,
    heard: () => heard,
    step: async (stage, random) => {
      const tenant = random.pick(stage.tenants)
      const listener = open.get(tenant.slug)
      if (listener?.ws.readyState === WebSocket.OPEN) {
        if (await echoes(stage, listener)) heard += 1
        return
      }
      listener?.ws.terminate()
      const joined = await listen(stage, tenant, random)
      if (joined !== undefined) open.set(tenant.slug, joined)
    },
  }
}

async function listen(
  stage: Stage,
  tenant: ReadyTenant,
  random: Random,
): Promise<Listener | undefined> {
  const exchanged = await ask(stage, 'POST', '/rt/v1/token', {
    credential: tenant.service_role_key,
  })
  if (exchanged.ending !== 'done') return undefined
  const address = `${stage.product.ready.realtime_url}/websocket?apikey=${exchanged.body.token}&vsn=2.0.0`
  const ws = new WebSocket(address)
  const listener: Listener = { ws, tenant, changes: 0, heard: 0 }
  ws.on('error', () => undefined)
  ws.on('message', (bytes: Buffer) => {
    const text = bytes.toString()
    if (text.includes('"postgres_changes","')) listener.changes += 1
    if (text.includes('"soak_echo"')) listener.heard += 1
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    ws.on('open', () => resolve(true))
    ws.on('close', () => resolve(false))
  })
  if (!isOpen) return undefined
  const changes = [{ event: '*', schema: tenant.schema_name, table: 'entries' }]
  const config = { broadcast: { self: true }, postgres_changes: changes }
  ws.send(JSON.stringify(['1', '1', TOPIC, 'phx_join', { config }]))
  // Some clients never read. The server must tolerate them until it closes their connections.
  if (random.isLucky(8)) ws.pause()
  return listener
}

/** Sends a broadcast. Returns whether the sender received it. */
async function echoes(stage: Stage, listener: Listener): Promise<boolean> {
  const { ws, heard } = listener
  if (ws.isPaused) return false
  const { product } = stage
  const payload = { type: 'broadcast', event: 'soak_echo', payload: { cast: casts++ } }
  ws.send(JSON.stringify(['1', null, TOPIC, 'broadcast', payload]))
  const started = performance.now()
  while (listener.heard === heard && ws.readyState === WebSocket.OPEN) {
    if (stage.isGoingDown || stage.product !== product) return false
    requireThat(
      !isLate(started, ECHOED_WITHIN_MILLIS),
      `a broadcast of ${listener.tenant.slug} did not come back`,
    )
    await pause(10)
  }
  return listener.heard > heard
}
