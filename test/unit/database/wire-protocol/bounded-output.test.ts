// Rows and notices beyond the limits are dropped, however the stream is divided.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedOutput } from '../../../../emulator/database/wire-protocol/bounded-output.ts'

function message(kind: string, body: string): Buffer {
  const header = Buffer.alloc(5)
  header.write(kind)
  header.writeUInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([header, Buffer.from(body)])
}

function bounded(stream: Buffer, maxBytes: number, cuts: readonly number[]): string {
  const output = new BoundedOutput(maxBytes)
  let from = 0
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    output.onOutput(stream.subarray(from, cut))
    from = cut
  }
  return Buffer.from(output.end(stream.subarray(from))).toString()
}

it('keeps the first rows without gaps and every message that is not a row', () => {
  const rows = ['aaaa', 'bbbbbbbbbbbb', 'c'].map((body) => message('D', body))
  const [head, end] = [message('T', 'head'), message('C', 'SELECT 3\0')]
  const stream = Buffer.concat([head, ...rows, end])
  const kept = Buffer.concat([head, message('D', 'aaaa'), end])
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
      expect(bounded(stream, 20, cuts)).toBe(kept.toString())
    }),
  )
})

it('keeps everything below the limit', () => {
  const stream = Buffer.concat([message('T', 'head'), message('D', 'aaaa'), message('Z', 'I')])
  fc.assert(
    fc.property(
      fc.array(fc.nat(stream.length), { maxLength: 4 }),
      fc.integer({ min: 9, max: 2 * stream.length }),
      (cuts, maxBytes) => {
        expect(bounded(stream, maxBytes, cuts)).toBe(stream.toString())
      },
    ),
  )
})

it('never drops the notice that a schema changed', () => {
  const flood = Array.from({ length: 1_100 }, () => message('N', 'x'.repeat(1_000)))
  const told = message('N', 'SINFO\0CTY001\0Mchanged\0')
  const stream = Buffer.concat([...flood, told])
  fc.assert(
    fc.property(fc.array(fc.nat(told.length), { maxLength: 5 }), (cuts) => {
      const at = cuts.map((cut) => stream.length - cut)
      expect(bounded(stream, 0, at).slice(-told.length)).toBe(told.toString())
    }),
    { numRuns: 20 },
  )
})
