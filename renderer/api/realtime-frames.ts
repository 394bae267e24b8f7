// Builds and parses frames of the realtime protocol 1.0.0: JSON objects {topic, event, payload, ref}. Pure.
import type { RealtimeChannel } from '../../emulator/contract/realtime.ts'

export interface RealtimeFrame {
  readonly topic: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly ref: string | null
}

export interface JoinOrder {
  /** The topic's name without the prefix `realtime:`. */
  readonly topic: string
  readonly isPrivate: boolean
  readonly bindings: readonly RealtimeChannel['bindings'][number][]
  /** Key under which this client appears in presence. The client does not track presence when the key is absent. */
  readonly presenceKey: string | undefined
  /** Whether the server sends the client's own broadcasts back. */
  readonly hearsItself: boolean
}

/** Adds the prefix `realtime:` that topics have in frames. */
export function wireTopic(topic: string): string {
  return `realtime:${topic}`
}

export function joinFrame(order: JoinOrder, token: string, ref: string): RealtimeFrame {
  return {
    topic: wireTopic(order.topic),
    event: 'phx_join',
    ref,
    payload: {
      config: {
        broadcast: { ack: false, self: order.hearsItself },
        presence: { key: order.presenceKey ?? '', enabled: order.presenceKey !== undefined },
        postgres_changes: order.bindings.map(({ filter, ...binding }) => ({
          ...binding,
          ...(filter === null || filter === '' ? {} : { filter }),
        })),
        private: order.isPrivate,
      },
      access_token: token,
    },
  }
}

export function broadcastFrame(
  topic: string,
  event: string,
  payload: unknown,
  ref: string,
): RealtimeFrame {
  return {
    topic: wireTopic(topic),
    event: 'broadcast',
    ref,
    payload: { type: 'broadcast', event, payload },
  }
}

export function presenceFrame(topic: string, state: unknown, ref: string): RealtimeFrame {
  return {
    topic: wireTopic(topic),
    event: 'presence',
    ref,
    payload: { type: 'presence', event: 'track', payload: state },
  }
}

export function leaveFrame(topic: string, ref: string): RealtimeFrame {
  return { topic: wireTopic(topic), event: 'phx_leave', ref, payload: {} }
}

export function heartbeatFrame(ref: string): RealtimeFrame {
  return { topic: 'phoenix', event: 'heartbeat', ref, payload: {} }
}

/** Parses a frame from the server. Returns `undefined` for any text that is not a frame. */
export function readFrame(text: string): RealtimeFrame | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { topic, event, payload, ref } = value
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined
  return {
    topic,
    event,
    payload: isRecord(payload) ? payload : {},
    ref: typeof ref === 'string' ? ref : null,
  }
}

/** Whether a reply grants the request, and the reason of a refusal. */
export function replyOf({ payload }: RealtimeFrame): {
  readonly isGranted: boolean
  readonly reason: string | undefined
} {
  const response = isRecord(payload['response']) ? payload['response'] : {}
  const reason = response['reason']
  return {
    isGranted: payload['status'] === 'ok',
    reason: typeof reason === 'string' ? reason : undefined,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
