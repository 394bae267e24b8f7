// Holds the test channels of this page. The channels stay open while the user visits other screens, for example to
// change a row.
import { useSyncExternalStore } from 'react'
import {
  broadcastFrame,
  type JoinOrder,
  joinFrame,
  leaveFrame,
  presenceFrame,
  type RealtimeFrame,
} from '../../../api/realtime-frames.ts'
import { openRealtimeSocket, type RealtimeSocket } from '../../../api/realtime-socket.ts'
import { wallNow } from '../../../api/time.ts'
import {
  afterClose,
  afterReceived,
  afterSent,
  JOIN_REF,
  newProbe,
  type Probe,
} from './probe-model.ts'

let probes: readonly Probe[] = []
let created = 0
const sockets = new Map<string, RealtimeSocket>()
const listeners = new Set<() => void>()

export function useProbes(): readonly Probe[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => probes,
  )
}

export interface ProbeOrder {
  readonly url: string
  readonly token: string
  readonly tenant: string
  readonly identity: string
  readonly join: JoinOrder
}

/** Opens a new socket for the channel and joins. */
export function startProbe({ url, token, tenant, identity, join }: ProbeOrder): void {
  created += 1
  const id = `probe ${created}`
  publish([...probes, newProbe(id, tenant, identity, join)])
  const socket = openRealtimeSocket(url, token, {
    onOpen: () => {
      send(id, joinFrame(join, token, JOIN_REF))
      if (join.presenceKey !== undefined)
        send(id, presenceFrame(join.topic, { from: 'inspector', identity }, 'presence'))
    },
    onFrame: (frame) => change(id, (probe) => afterReceived(probe, frame, wallNow())),
    onClose: (reason) => change(id, (probe) => afterClose(probe, reason)),
  })
  sockets.set(id, socket)
}

export function sendBroadcast(probe: Probe, event: string, payload: unknown): void {
  created += 1
  send(probe.id, broadcastFrame(probe.order.topic, event, payload, `broadcast ${created}`))
}

/** Leaves the channel and removes it from the list. */
export function endProbe(probe: Probe): void {
  sockets.get(probe.id)?.send(leaveFrame(probe.order.topic, 'leave'))
  sockets.get(probe.id)?.close()
  sockets.delete(probe.id)
  publish(probes.filter(({ id }) => id !== probe.id))
}

function send(id: string, frame: RealtimeFrame): void {
  sockets.get(id)?.send(frame)
  change(id, (probe) => afterSent(probe, frame, wallNow()))
}

function change(id: string, edit: (probe: Probe) => Probe): void {
  publish(probes.map((probe) => (probe.id === id ? edit(probe) : probe)))
}

function publish(next: readonly Probe[]): void {
  probes = next
  for (const listener of listeners) listener()
}
