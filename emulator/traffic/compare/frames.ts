// Frames of realtime as values: text frames of both serializers, and the binary broadcasts of serializer 2.0.0
// (docs/wire/realtime.md#frames). Pure.
import { type JsonValue, parseJson } from '../../core/json.ts'
import type { HarFrame } from '../har/har.ts'

/** A frame with its topic. Frames of different topics can arrive in any order. */
export interface ReadFrame {
  readonly topic: string
  readonly value: JsonValue
}

/** Kind, and number of the lengths that follow it. Each length is one byte. */
const CLIENT_BROADCAST = { kind: 3, lengths: 5, topicAt: 2 } as const
const SERVER_BROADCAST = { kind: 4, lengths: 3, topicAt: 0 } as const
const JSON_ENCODING = 1

export function readFrame({ data, opcode }: Pick<HarFrame, 'data' | 'opcode'>): ReadFrame {
  if (opcode === 2) return readBinary(Buffer.from(data, 'base64'))
  const value = parseJson(data)
  if (value === undefined) return { topic: '', value: data }
  if (Array.isArray(value)) {
    const [joinRef = null, ref = null, topic = '', event = '', payload = null] = value
    return { topic: String(topic), value: { join_ref: joinRef, ref, topic, event, payload } }
  }
  const topic = typeof value === 'object' && value !== null ? Object(value)['topic'] : ''
  return { topic: String(topic), value }
}

/** Returns the frame with its texts replaced. The lengths of a binary frame's parts keep what they say. */
export function mapFrame(
  frame: Pick<HarFrame, 'data' | 'opcode'>,
  map: (text: string) => string,
): string | Buffer {
  if (frame.opcode === 1) return map(frame.data)
  const bytes = Buffer.from(frame.data, 'base64')
  const parts = partsOf(bytes)
  if (parts === undefined) return bytes
  const lengths = parts.texts.map((text) => Buffer.byteLength(map(text)))
  return Buffer.concat([
    Buffer.from([bytes[0] ?? 0, ...lengths, parts.encoding]),
    ...parts.texts.map((text) => Buffer.from(map(text))),
    parts.encoding === JSON_ENCODING ? Buffer.from(map(parts.payload.toString())) : parts.payload,
  ])
}

function readBinary(bytes: Buffer): ReadFrame {
  const parts = partsOf(bytes)
  if (parts === undefined) return { topic: '', value: bytes.toString('base64') }
  const { encoding, form, payload, texts } = parts
  const read = encoding === JSON_ENCODING ? parseJson(payload.toString()) : undefined
  return {
    topic: texts[form.topicAt] ?? '',
    value: { kind: form.kind, texts, encoding, payload: read ?? payload.toString('base64') },
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
