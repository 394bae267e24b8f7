// Creates the frame that delivers a broadcast to a room (docs/wire/realtime.md#broadcast). Pure.
import { type JsonValue, parseJson } from '../../core/json.ts'
import {
  type ClientMessage,
  type SharedFrame,
  sharedText,
  sharedUserBroadcast,
  type UserBroadcast,
} from '../sockets/frames.ts'

export type BroadcastFrame =
  | { readonly kind: 'frame'; readonly frame: SharedFrame }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'tooLarge' }

/** @param payloadBytes the maximum size of the payload in bytes */
export function broadcastFrame(
  topic: string,
  message: ClientMessage,
  payloadBytes: number,
): BroadcastFrame {
  if (message.kind === 'broadcast') return userBroadcastFrame(topic, message, payloadBytes)
  const text = JSON.stringify(message.payload)
  if (Buffer.byteLength(text) > payloadBytes) return { kind: 'tooLarge' }
  return { kind: 'frame', frame: sharedText(topic, 'broadcast', text) }
}

function userBroadcastFrame(
  topic: string,
  broadcast: UserBroadcast,
  payloadBytes: number,
): BroadcastFrame {
  if (broadcast.bytes.length > payloadBytes) return { kind: 'tooLarge' }
  // Realtime passes the payload on unchanged, and each receiver parses it. Malformed JSON would break all receivers.
  if (broadcast.isJson && parseJson(Buffer.from(broadcast.bytes).toString('utf8')) === undefined)
    return { kind: 'malformed' }
  return { kind: 'frame', frame: sharedUserBroadcast(topic, broadcast) }
}

/** Creates the frame of a broadcast that arrived over HTTP, as text. */
export function textBroadcastFrame(topic: string, event: string, payload: JsonValue): SharedFrame {
  return sharedText(topic, 'broadcast', JSON.stringify({ type: 'broadcast', event, payload }))
}
