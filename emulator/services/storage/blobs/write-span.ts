// Writes a span of a file to a socket. One buffer is read from the file while the other one is written to the socket.
import { read } from 'node:fs'
import type { Writable } from 'node:stream'
import type { ByteSpan } from './blob-store.ts'

/** Size of a buffer. Larger buffers are not faster; buffers of 128 KB are a tenth slower. */
const PIECE_BYTES = 256 * 1024

/**
 * Writes the span and ends `outgoing`. Destroys `outgoing` when the file is shorter than the span.
 * @param close called once, when no read is in progress and none will follow
 */
export function writeSpan(
  file: number,
  { first, last }: ByteSpan,
  outgoing: Writable,
  close: () => void,
): void {
  const free = buffersFor(last - first + 1)
  let position = first
  let isReading = false
  let isOver = outgoing.destroyed

  // The connection ended before the whole span was written.
  function abandon(): void {
    isOver = true
    if (!isReading) close()
  }

  function readNext(): void {
    if (isReading || isOver) return
    const buffer = free.pop()
    if (buffer === undefined) return
    isReading = true
    const length = Math.min(buffer.length, last - position + 1)
    read(file, buffer, 0, length, position, (error, count) => {
      isReading = false
      if (isOver) close()
      else if (error !== null) outgoing.destroy(error)
      else if (count === 0) outgoing.destroy(new Error('the blob is shorter than its record says'))
      else write(buffer, count)
    })
  }

  function write(buffer: Buffer, count: number): void {
    const piece = count === buffer.length ? buffer : buffer.subarray(0, count)
    position += count
    if (position > last) {
      outgoing.off('close', abandon)
      close()
      outgoing.end(piece)
      return
    }
    // Node calls the callback when the system has copied the bytes, so the buffer can be reused.
    outgoing.write(piece, () => {
      free.push(buffer)
      readNext()
    })
    readNext()
  }

  if (isOver) close()
  else {
    outgoing.on('close', abandon)
    readNext()
  }
}

function buffersFor(bytes: number): Buffer[] {
  const size = Math.min(bytes, PIECE_BYTES)
  const count = bytes > PIECE_BYTES ? 2 : 1
  return Array.from({ length: count }, () => Buffer.allocUnsafeSlow(size))
}
