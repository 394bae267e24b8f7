import { describe, expect, it } from 'vitest'
import { MessageCutter } from '../../../../emulator/database/wire-protocol/message-cutter.ts'
import { patiently } from '../../../support/patience.ts'

const message = (kind: string, body: string): Buffer => {
  const bytes = Buffer.from(`${kind}....${body}`)
  bytes.writeUInt32BE(body.length + 4, 1)
  return bytes
}

const cut = (stream: Buffer, size: number) => {
  const whole: string[] = []
  const order: Uint8Array[] = []
  const cutter = new MessageCutter('ZE', {
    onMessage: (kind, bytes) => {
      whole.push(String.fromCharCode(kind) + Buffer.from(bytes.subarray(5)).toString())
      order.push(bytes)
    },
    onOther: (bytes) => order.push(bytes),
  })
  for (let at = 0; at < stream.length; at += size) cutter.push(stream.subarray(at, at + size))
  return { whole, all: Buffer.concat(order) }
}

describe('MessageCutter', () => {
  const stream = Buffer.concat([
    message('D', 'x'.repeat(30)),
    message('E', 'bad'),
    message('D', 'EEEEZZZZ'),
    message('C', ''),
    message('Z', 'I'),
  ])

  it.each([1, 2, 3, 5, 7, 11, 1_000])(
    'finds the wanted messages, and loses no bytes, in pieces of %d bytes',
    (size) => {
      expect(cut(stream, size)).toEqual({ whole: ['Ebad', 'ZI'], all: stream })
    },
  )

  it('copies a long message only once, however many pieces it has', () => {
    const long = Buffer.concat([message('E', 'x'.repeat(32 << 20)), message('Z', 'I')])
    const lengths: number[] = []
    const cutter = new MessageCutter('ZE', { onMessage: (_, { length }) => lengths.push(length) })
    const started = performance.now()
    for (let at = 0; at < long.length; at += 16_384) cutter.push(long.subarray(at, at + 16_384))
    expect(lengths).toEqual([long.length - 6, 6])
    expect(performance.now() - started).toBeLessThan(patiently(1_000))
  })
})
