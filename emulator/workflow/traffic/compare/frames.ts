// Reads frames of realtime as values: text frames of both serializers, and the binary broadcasts of serializer 2.0.0
// (docs/wire/realtime.md#frames). Pure.
import { type JsonValue, parseJson } from '../../../core/json.ts'
import type { HarFrame } from '../har/har.ts'

/** A frame with its topic. Frames of different topics can arrive in any order. */
export interface ReadFrame {
  readonly topic: string
  readonly value: JsonValue
}

/** `kind` is the first byte of the frame. `lengths` is the number of lengths after it, each in one byte. */
const CLIENT_BROADCAST = { kind: 3, lengths: 5, topicAt: 2 } as const
const SERVER_BROADCAST = { kind: 4, lengths: 3, topicAt: 0 } as const
const JSON_ENCODING = 1

/** @param sizesOnly whether only the sizes of binary payloads are compared, because the recording left out some payloads */
export function readFrame(
  { _size, data, opcode }: Pick<HarFrame, 'data' | 'opcode' | '_size'>,
  sizesOnly: boolean,
): ReadFrame {
  if (opcode === 2) return readBinary(Buffer.from(data, 'base64'), sizesOnly, _size)
  const value = parseJson(data)
  if (value === undefined) return { topic: '', value: data }
  if (Array.isArray(value)) {
    const [joinRef = null, ref = null, topic = '', event = '', payload = null] = value
    return { topic: String(topic), value: { join_ref: joinRef, ref, topic, event, payload } }
  }
  const topic = typeof value === 'object' && value !== null ? Object(value)['topic'] : ''
  return { topic: String(topic), value }
}

/**
 * Returns the frame with its texts replaced, and with correct lengths of a binary frame's parts. A payload that was left out
 * consists of zeros.
 */
export function mapFrame(
  { _size, data, opcode }: Pick<HarFrame, 'data' | 'opcode' | '_size'>,
  map: (text: string) => string,
): string | Buffer {
  if (opcode === 1) return map(data)
  const bytes = Buffer.from(data, 'base64')
  const missing = Buffer.alloc(Math.max(0, (_size ?? 0) - bytes.length))
  return Buffer.concat([mapBinary(bytes, map)?.bytes ?? bytes, missing])
}

export interface MappedFrame {
  readonly bytes: Buffer
  /** Number of bytes at the end of `bytes` that belong to a payload which is not JSON. */
  readonly opaqueBytes: number
}

/** Replaces the texts of a binary broadcast. Returns `undefined` for other bytes. */
export function mapBinary(bytes: Buffer, map: (text: string) => string): MappedFrame | undefined {
  const parts = partsOf(bytes)
  if (parts === undefined) return undefined
  const { encoding, payload, texts } = parts
  const text = payload.toString()
  const isJson = encoding === JSON_ENCODING && parseJson(text) !== undefined
  const mapped = texts.map((each) => Buffer.from(map(each)))
  return {
    bytes: Buffer.concat([
      Buffer.from([bytes[0] ?? 0, ...mapped.map((each) => each.length), encoding]),
      ...mapped,
      isJson ? Buffer.from(map(text)) : payload,
    ]),
    opaqueBytes: isJson ? 0 : payload.length,
  }
}

function readBinary(bytes: Buffer, sizesOnly: boolean, size = bytes.length): ReadFrame {
  const shown = (part: Buffer): string =>
    sizesOnly ? `${part.length + size - bytes.length} bytes` : part.toString('base64')
  const parts = partsOf(bytes)
  if (parts === undefined) return { topic: '', value: shown(bytes) }
  const { encoding, form, payload, texts } = parts
  const read = encoding === JSON_ENCODING ? parseJson(payload.toString()) : undefined
  return {
    topic: texts[form.topicAt] ?? '',
    value: { kind: form.kind, texts, encoding, payload: read ?? shown(payload) },
  }
}

interface BinaryParts {
  readonly form: typeof CLIENT_BROADCAST | typeof SERVER_BROADCAST
  readonly texts: readonly string[]
  readonly encoding: number
  readonly payload: Buffer
}

function partsOf(bytes: Buffer): BinaryParts | undefined {
  const form = [CLIENT_BROADCAST, SERVER_BROADCAST].find(({ kind }) => kind === bytes[0])
  if (form === undefined || bytes.length < form.lengths + 2) return undefined
  let start = form.lengths + 2
  const texts = [...bytes.subarray(1, form.lengths + 1)].map((length) => {
    const text = bytes.toString('utf8', start, start + length)
    start += length
    return text
  })
  return start > bytes.length
    ? undefined
    : { form, texts, encoding: bytes[form.lengths + 1] ?? 0, payload: bytes.subarray(start) }
}
