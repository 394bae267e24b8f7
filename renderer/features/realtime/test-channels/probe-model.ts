// The data of one test channel: its state and its frames. Pure.
import {
  type JoinOrder,
  type RealtimeFrame,
  replyOf,
  wireTopic,
} from '../../../api/realtime-frames.ts'
import { PROBLEMS } from '../texts.ts'

export type ProbeState = 'connecting' | 'joining' | 'joined' | 'refused' | 'closed'

export interface ProbeLine {
  readonly number: number
  readonly direction: 'sent' | 'received'
  /** The time at which the page sent or received the frame, in wall-clock milliseconds since 1970. */
  readonly at: number
  readonly event: string
  readonly payload: unknown
}

export interface Probe {
  readonly id: string
  readonly tenant: string
  /** Label of the identity that joined the channel. */
  readonly identity: string
  readonly order: JoinOrder
  readonly state: ProbeState
  /** Why the server refused or closed the channel. */
  readonly reason: string | undefined
  /** Sent and received frames, oldest first. */
  readonly lines: readonly ProbeLine[]
}

/** The most frames that a test channel keeps. */
export const LINES_KEPT = 300
/** The `ref` of the join frame. The server's reply repeats this `ref`. */
export const JOIN_REF = 'join'

export function newProbe(id: string, tenant: string, identity: string, order: JoinOrder): Probe {
  return { id, tenant, identity, order, state: 'connecting', reason: undefined, lines: [] }
}

/** Whether the channel is joined or joining. Only such a channel also has a connection in the list of connections. */
export function isOpen({ state }: Pick<Probe, 'state'>): boolean {
  return state !== 'closed' && state !== 'refused'
}

export function afterSent(probe: Probe, frame: RealtimeFrame, at: number): Probe {
  const state = frame.event === 'phx_join' ? 'joining' : probe.state
  return { ...withLine(probe, 'sent', shown(frame), at), state }
}

export function afterReceived(probe: Probe, frame: RealtimeFrame, at: number): Probe {
  if (frame.topic !== wireTopic(probe.order.topic)) return probe
  const next = withLine(probe, 'received', frame, at)
  if (frame.event === 'phx_reply' && frame.ref === JOIN_REF) return afterJoinReply(next, frame)
  if (frame.event === 'phx_close') return { ...next, state: 'closed' }
  const isFailure = frame.event === 'system' && frame.payload['status'] === 'error'
  return isFailure ? { ...next, reason: String(frame.payload['message']) } : next
}

export function afterClose(probe: Probe, reason: string): Probe {
  if (probe.state === 'refused') return probe
  const isRefused = probe.state === 'connecting'
  return {
    ...probe,
    state: isRefused ? 'refused' : 'closed',
    reason: probe.reason ?? (isRefused ? PROBLEMS.handshake : reason),
  }
}

function afterJoinReply(probe: Probe, frame: RealtimeFrame): Probe {
  const { isGranted, reason } = replyOf(frame)
  return { ...probe, state: isGranted ? 'joined' : 'refused', reason }
}

// Removes the token from a frame before the screen shows it.
function shown(frame: RealtimeFrame): RealtimeFrame {
  const { access_token: _token, ...payload } = frame.payload
  return { ...frame, payload }
}

function withLine(
  probe: Probe,
  direction: ProbeLine['direction'],
  { event, payload }: RealtimeFrame,
  at: number,
): Probe {
  const number = (probe.lines.at(-1)?.number ?? 0) + 1
  const line: ProbeLine = { number, direction, at, event: nameOf(event, payload), payload }
  return { ...probe, lines: [...probe.lines, line].slice(-LINES_KEPT) }
}

/** The label of a frame. The label of a broadcast includes its own event name: `broadcast cursor`. */
function nameOf(event: string, payload: Readonly<Record<string, unknown>>): string {
  return event === 'broadcast' && typeof payload['event'] === 'string'
    ? `broadcast ${payload['event']}`
    : event
}
