// Frames of realtime sockets, in serializer 2.0.0 (docs/wire/realtime.md#frames). Pure.
import type { Lab } from '../../model/check.ts'
import { ANYTHING, type Pattern } from '../../model/patterns.ts'
import type { Expected, Step } from '../../model/steps.ts'

/** Returns the topic of a public channel that no other run uses. */
export function room({ prefix }: Pick<Lab, 'prefix'>, name: string): string {
  return `realtime:${prefix}-${name}`
}

/** Opens a socket with a realtime token. */
export function openSocket(
  socket: string,
  token: string,
  expected: Expected = { status: 101 },
  vsn = '2.0.0',
): Step {
  const path = `/websocket?apikey=${encodeURIComponent(token)}&vsn=${vsn}`
  return { kind: 'open', socket, path, headers: {}, expected }
}

/** Sends a frame. The reference of the join is `1`. */
export function push(
  socket: string,
  ref: string,
  topic: string,
  event: string,
  payload: unknown = {},
): Step {
  const joinRef = topic === 'phoenix' ? null : '1'
  return { kind: 'frame', socket, frame: JSON.stringify([joinRef, ref, topic, event, payload]) }
}

/** Waits for a frame, and ignores other frames that arrive before it. */
export function receive(socket: string, event: string, topic: string, payload: Pattern): Step {
  const pattern = [ANYTHING, ANYTHING, topic, event, payload]
  return { kind: 'receive', socket, pattern, isNext: false }
}

/** Waits for a frame, which must be the next one that arrives. */
export function receiveNext(socket: string, event: string, topic: string, payload: Pattern): Step {
  const pattern = [ANYTHING, ANYTHING, topic, event, payload]
  return { kind: 'receive', socket, pattern, isNext: true }
}

/** Waits for the reply to the frame with this reference. */
export function reply(socket: string, ref: string, topic: string, payload: Pattern): Step {
  const pattern = [ANYTHING, ref, topic, 'phx_reply', payload]
  return { kind: 'receive', socket, pattern, isNext: false }
}

/** Joins a channel, and waits for the acceptance. */
export function join(socket: string, topic: string, config: unknown = {}): readonly Step[] {
  return [
    push(socket, '1', topic, 'phx_join', { config }),
    reply(socket, '1', topic, { status: 'ok' }),
  ]
}

/** Sends a heartbeat and expects its reply as the next frame. This proves that the server sent no other frame before. */
export function silence(socket: string, ref = 'beat'): readonly Step[] {
  return [
    push(socket, ref, 'phoenix', 'heartbeat'),
    receiveNext(socket, 'phx_reply', 'phoenix', { status: 'ok', response: {} }),
  ]
}
