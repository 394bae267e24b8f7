import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSpan } from '../../../emulator/services/storage/blobs/write-span.ts'
import { until } from '../../support/until.ts'

const SIZE = 1_000_000
const BYTES = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251))

describe('writeSpan', () => {
  let root: string
  let file: number
  let closed: number
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tenantry-span-'))
    writeFileSync(join(root, 'blob'), BYTES)
    file = openSync(join(root, 'blob'), 'r')
    closed = 0
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const close = (): void => {
    closed += 1
    closeSync(file)
  }

  /** Copies a chunk only in the next turn of the event loop, as a busy socket does. */
  function slowSink(): { readonly sink: Writable; readonly bytes: () => Buffer } {
    const pieces: Buffer[] = []
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        setImmediate(() => {
          pieces.push(Buffer.from(chunk))
          done()
        })
      },
    })
    return { sink, bytes: () => Buffer.concat(pieces) }
  }

  it.each([
    [0, SIZE - 1],
    [5, SIZE - 7],
    [10, 10],
    [262_144, 524_287],
  ])('writes the bytes from %i to %i, ends the sink and closes the file', async (first, last) => {
    const { sink, bytes } = slowSink()
    writeSpan(file, { first, last }, sink, close)
    await finished(sink)
    expect(bytes().equals(BYTES.subarray(first, last + 1))).toBe(true)
    expect(closed).toBe(1)
  })

  it('reads at most two buffers ahead of the sink', async () => {
    let taken = 0
    const waiting: (() => void)[] = []
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        taken += chunk.length
        waiting.push(done)
      },
    })
    writeSpan(file, { first: 0, last: SIZE - 1 }, sink, close)
    await until(() => sink.writableLength === 2 * 262_144)
    expect([taken, closed]).toEqual([262_144, 0])
    sink.destroy()
    await until(() => closed === 1)
  })

  it('closes the file once when the sink is destroyed during a read', async () => {
    const { sink } = slowSink()
    writeSpan(file, { first: 0, last: SIZE - 1 }, sink, close)
    sink.destroy()
    await until(() => closed > 0)
    expect(closed).toBe(1)
  })

  it('closes the file when the sink is already destroyed', () => {
    const { sink } = slowSink()
    sink.destroy()
    writeSpan(file, { first: 0, last: 9 }, sink, close)
    expect(closed).toBe(1)
  })

  it('destroys the sink when the file is shorter than the span', async () => {
    const { sink } = slowSink()
    writeSpan(file, { first: 0, last: SIZE + 9 }, sink, close)
    await expect(finished(sink)).rejects.toThrow(/shorter/)
    expect(closed).toBe(1)
  })
})
