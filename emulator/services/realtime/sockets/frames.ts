// Encodes and decodes frames of both protocol versions, text and binary (docs/wire/realtime.md#frames). Pure.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { parseWireJson } from './wire-json.ts'

/** Version 1 (`vsn` 1.0.0) uses JSON objects. Version 2 (`vsn` 2.0.0) uses JSON arrays, and binary frames for broadcasts. */
export type ProtocolVersion = 1 | 2

interface Addressed {
  readonly topic: string
  readonly ref: string | null
  readonly joinRef: string | null
}

/** A message from the client. */
export type ClientMessage =
  | (Addressed & {
      readonly kind: 'text'
      readonly event: string
      readonly payload: JsonObject
    })
  /** A binary frame of kind 3 is a broadcast, whose payload realtime passes on unchanged. */
  | (Addressed & { readonly kind: 'broadcast' } & UserBroadcast)

/** A broadcast whose payload is JSON text or raw bytes. */
export interface UserBroadcast {
  readonly event: string
  readonly isJson: boolean
  readonly bytes: Uint8Array
}

/** A message from the server. `payloadText` is JSON. */
export interface ServerMessage extends Addressed {
  readonly event: string
  readonly payloadText: string
}

/** A complete frame, ready for Connection.send. */
export interface EncodedFrame {
  readonly bytes: Uint8Array
  readonly isBinary: boolean
}

const USER_BROADCAST_PUSH = 3
const USER_BROADCAST = 4
const PUSH_HEADER_BYTES = 7
const BROADCAST_HEADER_BYTES = 5
const JSON_ENCODING = 1
/** Maximum length of a name, because the frame stores each length in one byte. */
const MAX_PART_BYTES = 255

/** Parses `vsn`, which is version 1 by default, as upstream. Returns `undefined` for unknown versions. */
export function parseVersion(vsn: string | null): ProtocolVersion | undefined {
  const major = /^([12])\.\d+\.\d+$/.exec(vsn ?? '1.0.0')?.[1]
  return major === '1' ? 1 : major === '2' ? 2 : undefined
}

/** Decodes a client's frame. Returns `undefined` for a malformed frame, which the caller then ignores. */
export function decodeFrame(
  version: ProtocolVersion,
  bytes: Buffer,
  isBinary: boolean,
): ClientMessage | undefined {
  if (isBinary) return version === 2 ? decodeBinary(bytes) : undefined
  const value = parseWireJson(bytes.toString('utf8'))
  if (version === 2)
    return Array.isArray(value) && value.length >= 5
      ? message(value[0], value[1], value[2], value[3], value[4])
      : undefined
  return isJsonObject(value)
    ? message(value['join_ref'], value['ref'], value['topic'], value['event'], value['payload'])
    : undefined
}

function message(
  joinRef: JsonValue | undefined,
  ref: JsonValue | undefined,
  topic: JsonValue | undefined,
  event: JsonValue | undefined,
  payload: JsonValue | undefined,
): ClientMessage | undefined {
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined
  if (!isJsonObject(payload ?? {})) return undefined
  return {
    kind: 'text',
    topic,
    event,
    ref: refOf(ref),
    joinRef: refOf(joinRef),
    payload: isJsonObject(payload) ? payload : {},
  }
}

function refOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : null
}

function decodeBinary(bytes: Buffer): ClientMessage | undefined {
  if (bytes.length < PUSH_HEADER_BYTES || bytes[0] !== USER_BROADCAST_PUSH) return undefined
  let at = PUSH_HEADER_BYTES
  const parts: string[] = []
  for (let field = 1; field <= 5; field += 1) {
    const end = at + (bytes[field] ?? 0)
    parts.push(bytes.toString('utf8', at, end))
    at = end
  }
  const [joinRef = '', ref = '', topic = '', event = ''] = parts
  const encoding = bytes[6]
  if (at > bytes.length || encoding === undefined || encoding > JSON_ENCODING) return undefined
  return {
    kind: 'broadcast',
    topic,
    event,
    ref: ref === '' ? null : ref,
    joinRef: joinRef === '' ? null : joinRef,
    isJson: encoding === JSON_ENCODING,
    bytes: bytes.subarray(at),
  }
}

/** Encodes a message as text. Version 1 has only topic, event, payload and ref. */
export function encodeText(version: ProtocolVersion, message: ServerMessage): EncodedFrame {
  const { topic, event, ref, joinRef, payloadText } = message
  const text =
    version === 1
      ? `{"topic":${JSON.stringify(topic)},"event":${JSON.stringify(event)},"payload":${payloadText},"ref":${JSON.stringify(ref)}}`
      : `[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${JSON.stringify(topic)},${JSON.stringify(event)},${payloadText}]`
  return { bytes: Buffer.from(text), isBinary: false }
}

/**
 * Encodes a broadcast with a separate payload. Version 2 uses a binary frame of kind 4 if the names fit. Other frames are
 * text. Returns `undefined` for raw bytes, which a text frame cannot contain.
 */
export function encodeUserBroadcast(
  version: ProtocolVersion,
  topic: string,
  { event, isJson, bytes }: UserBroadcast,
): EncodedFrame | undefined {
  const topicBytes = Buffer.from(topic)
  const eventBytes = Buffer.from(event)
  const fits = topicBytes.length <= MAX_PART_BYTES && eventBytes.length <= MAX_PART_BYTES
  if (version === 2 && fits) {
    const header = Buffer.from([
      USER_BROADCAST,
      topicBytes.length,
      eventBytes.length,
      0,
      isJson ? JSON_ENCODING : 0,
    ])
    const parts = [header, topicBytes, eventBytes, bytes]
    const length = BROADCAST_HEADER_BYTES + topicBytes.length + eventBytes.length + bytes.length
    return { bytes: Buffer.concat(parts, length), isBinary: true }
  }
  if (!isJson) return undefined
  const payload = Buffer.from(bytes).toString('utf8')
  return encodeText(version, {
    topic,
    event: 'broadcast',
    ref: null,
    joinRef: null,
    payloadText: `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload}}`,
  })
}

/** A message for many sockets, which is encoded once per protocol version, on first use. */
export interface SharedFrame {
  /** Returns `undefined` when this version cannot represent the message. */
  encoded(version: ProtocolVersion): EncodedFrame | undefined
}

/** Creates a message that is the same for all receivers. `payloadText` is JSON. */
export function sharedText(topic: string, event: string, payloadText: string): SharedFrame {
  return shared((version) =>
    encodeText(version, { topic, event, payloadText, ref: null, joinRef: null }),
  )
}

export function sharedUserBroadcast(topic: string, broadcast: UserBroadcast): SharedFrame {
  return shared((version) => encodeUserBroadcast(version, topic, broadcast))
}

function shared(encode: (version: ProtocolVersion) => EncodedFrame | undefined): SharedFrame {
  const kept = new Map<ProtocolVersion, EncodedFrame | undefined>()
  return {
    encoded: (version) => {
      if (!kept.has(version)) kept.set(version, encode(version))
      return kept.get(version)
    },
  }
}

/** The frame that delivers a broadcast to a room, or the reason why there is no frame. */
export type BroadcastFrame =
  | { readonly kind: 'frame'; readonly frame: SharedFrame }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'tooLarge' }

/**
 * Creates the frame that delivers a broadcast to a room (docs/wire/realtime.md#broadcast).
 * @param payloadBytes the maximum size of the payload in bytes
 */
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
