// The wire codec: both versions, text and binary (docs/wire/realtime.md#frames).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeFrame,
  encodeText,
  encodeUserBroadcast,
  type ProtocolVersion,
  parseVersion,
  sharedText,
  sharedUserBroadcast,
} from '../../../emulator/services/realtime/sockets/frames.ts'

const text = (version: ProtocolVersion, value: unknown) =>
  decodeFrame(version, Buffer.from(JSON.stringify(value)), false)

describe('parseVersion', () => {
  it.each([
    [null, 1],
    ['1.0.0', 1],
    ['2.0.0', 2],
    ['2.0', undefined],
    ['3.0.0', undefined],
    ['', undefined],
  ])('reads %j as %j', (vsn, version) => expect(parseVersion(vsn)).toBe(version))
})

describe('decodeFrame', () => {
  const message = {
    kind: 'text',
    joinRef: '1',
    ref: '2',
    topic: 'realtime:a',
    event: 'phx_join',
    payload: { b: 1 },
  }

  it('reads an array of version 2', () => {
    expect(text(2, ['1', '2', 'realtime:a', 'phx_join', { b: 1 }])).toEqual(message)
  })

  it('reads an object of version 1', () => {
    const { joinRef, kind: _, ...rest } = message
    expect(text(1, { ...rest, join_ref: joinRef })).toEqual(message)
  })

  it('reads missing refs as null and a missing payload as empty', () => {
    expect(text(1, { topic: 'a', event: 'b' })).toMatchObject({
      ref: null,
      joinRef: null,
      payload: {},
    })
    expect(text(2, [null, null, 'a', 'b', null])).toMatchObject({ ref: null, payload: {} })
  })

  it.each<[ProtocolVersion, unknown]>([
    [1, ['1', '2', 'a', 'b', {}]],
    [1, { topic: 1, event: 'b' }],
    [1, { topic: 'a', event: 'b', payload: 'text' }],
    [2, { topic: 'a', event: 'b', payload: {}, ref: null }],
    [2, ['1', '2', 'a', 'b']],
    [2, ['1', '2', 'a', null, {}]],
  ])('in version %i drops %j', (version, value) => expect(text(version, value)).toBeUndefined())

  it('reads a binary push with names in UTF-8', () => {
    const parts = ['1', '22', 'realtime:é', 'olá', '']
    const lengths = parts.map((part) => Buffer.byteLength(part))
    const bytes = Buffer.concat([
      Buffer.from([3, ...lengths, 0]),
      Buffer.from(parts.join('')),
      Buffer.from([0, 255]),
    ])
    expect(decodeFrame(2, bytes, true)).toEqual({
      kind: 'broadcast',
      joinRef: '1',
      ref: '22',
      topic: 'realtime:é',
      event: 'olá',
      isJson: false,
      bytes: Buffer.from([0, 255]),
    })
    expect(decodeFrame(1, bytes, true)).toBeUndefined()
  })

  it('never throws, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isBinary) => {
        decodeFrame(2, Buffer.from(bytes), isBinary)
        decodeFrame(1, Buffer.from(bytes), isBinary)
      }),
    )
  })
})

describe('encodeText', () => {
  const message = { topic: 'a', event: 'e', ref: '2', joinRef: '1', payloadText: '{"b":1}' }
  const encoded = (version: ProtocolVersion) =>
    JSON.parse(Buffer.from(encodeText(version, message).bytes).toString())

  it('writes exactly topic, event, payload and ref in version 1', () => {
    expect(encoded(1)).toEqual({ topic: 'a', event: 'e', payload: { b: 1 }, ref: '2' })
  })

  it('writes five members in version 2', () => {
    expect(encoded(2)).toEqual(['1', '2', 'a', 'e', { b: 1 }])
  })
})

describe('encodeUserBroadcast', () => {
  const json = { event: 'e', isJson: true, bytes: Buffer.from('{"a":1}') }

  it('writes a binary frame of kind 4 in version 2', () => {
    const frame = encodeUserBroadcast(2, 'realtime:a', json)
    const header = [4, 10, 1, 0, 1]
    expect(frame).toEqual({
      bytes: Buffer.concat([Buffer.from(header), Buffer.from('realtime:ae{"a":1}')]),
      isBinary: true,
    })
  })

  it('writes a plain broadcast in version 1', () => {
    const frame = encodeUserBroadcast(1, 'realtime:a', json)
    expect(JSON.parse(String(frame?.bytes))).toEqual({
      topic: 'realtime:a',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'e', payload: { a: 1 } },
      ref: null,
    })
  })

  it('returns no frame for raw bytes in version 1', () => {
    expect(encodeUserBroadcast(1, 'a', { ...json, isJson: false })).toBeUndefined()
  })

  it('falls back to text when a name is too long for a length byte', () => {
    const event = 'é'.repeat(128)
    expect(encodeUserBroadcast(2, 'a', { ...json, event })?.isBinary).toBe(false)
  })
})

describe('a shared frame', () => {
  it('is encoded once for each version', () => {
    const frame = sharedText('a', 'e', '{}')
    expect(frame.encoded(1)).toBe(frame.encoded(1))
    expect(frame.encoded(1)).not.toBe(frame.encoded(2))
  })

  it('has no encoding in a version that cannot contain raw bytes', () => {
    const raw = sharedUserBroadcast('a', { event: 'e', isJson: false, bytes: Buffer.alloc(1) })
    expect([raw.encoded(1), raw.encoded(1), raw.encoded(2)?.isBinary]).toEqual([
      undefined,
      undefined,
      true,
    ])
  })
})
