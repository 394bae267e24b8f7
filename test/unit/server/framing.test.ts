// WebSocket frames of the server, in the layout of RFC 6455 §5.2.
import { describe, expect, it } from 'vitest'
import { createFraming } from '../../../emulator/server/framing.ts'

const frameOf = (length: number, isBinary = false) =>
  Buffer.from(createFraming()(new Uint8Array(length).fill(7), isBinary))

describe('framing', () => {
  it.each([
    [0, '8100'],
    [125, '817d'],
    [126, '817e007e'],
    [65_535, '817effff'],
    [65_536, '817f0000000000010000'],
  ])('gives %i bytes the shortest header', (length, header) => {
    const frame = frameOf(length)
    expect(frame.subarray(0, header.length / 2).toString('hex')).toBe(header)
    expect(frame).toHaveLength(header.length / 2 + length)
  })

  it('marks binary frames', () => {
    expect(frameOf(1, true).toString('hex')).toBe('820107')
  })

  it('creates the frame of a repeated message only once', () => {
    const framing = createFraming()
    const bytes = Buffer.from('a')
    expect(framing(bytes, false)).toBe(framing(bytes, false))
    expect(Buffer.from(framing(Buffer.from('b'), false)).toString('latin1')).toBe('\x81\x01b')
  })
})
