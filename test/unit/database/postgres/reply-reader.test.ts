// The reader returns the same replies, however the server's stream is divided.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ReplyReader } from '../../../../emulator/database/postgres/connections/server-connection.ts'
import { BoundedOutput } from '../../../../emulator/database/wire-protocol/bounded-output.ts'

function message(kind: string, body: string): Buffer {
  const header = Buffer.alloc(5)
  header.write(kind)
  header.writeUInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([header, Buffer.from(body)])
}

const READY = message('Z', 'I')
const replyOf = (bodies: readonly string[]): Buffer =>
  Buffer.concat([...bodies.map((body) => message('D', body)), message('C', 'SELECT'), READY])

/** Reads a stream in pieces. Returns the replies, and the messages outside of replies. */
function read(stream: Buffer, cuts: readonly number[], limits: readonly (number | undefined)[]) {
  const reader = new ReplyReader()
  const replies: string[] = []
  const others: string[] = []
  for (const limit of limits)
    reader.await({
      output: limit === undefined ? undefined : new BoundedOutput(limit),
      onReply: (bytes) => replies.push(Buffer.from(bytes).toString('latin1')),
    })
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), stream.length]) {
    const other = reader.push(stream.subarray(from, cut))
    if (other !== undefined) others.push(Buffer.from(other).toString('latin1'))
    from = cut
  }
  return { replies, others }
}

// Bodies that look like the end of a reply.
const bodies = fc.array(fc.constantFrom('', 'a', 'ZZ', READY.toString('latin1'), 'x'.repeat(300)), {
  maxLength: 6,
})

it('returns each reply completely, wherever the stream is split', () => {
  fc.assert(
    fc.property(fc.array(bodies, { maxLength: 4 }), fc.array(fc.nat(4_000)), (all, given) => {
      const replies = all.map(replyOf)
      const stream = Buffer.concat(replies)
      const cuts = given.map((cut) => Math.min(cut, stream.length))
      const found = read(
        stream,
        cuts,
        all.map(() => undefined),
      )
      expect(found.replies).toEqual(replies.map((reply) => reply.toString('latin1')))
      expect(found.others).toEqual([])
    }),
  )
})

it('omits rows beyond the limit of one reply, but no rows of the next reply', () => {
  const reply = replyOf(['x'.repeat(100), 'y'.repeat(100)])
  const stream = Buffer.concat([reply, reply])
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const { replies } = read(stream, cuts, [150, undefined])
      expect(replies[0]).toBe(replyOf(['x'.repeat(100)]).toString('latin1'))
      expect(replies[1]).toBe(reply.toString('latin1'))
    }),
  )
})

it('returns the reason of a shutdown that comes outside of replies', () => {
  const reason = message('E', 'CFATAL')
  expect(read(reason, [], []).others).toEqual([reason.toString('latin1')])
})
