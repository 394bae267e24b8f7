// Reads one blob file. A small span is read in one call, and a large span as a stream of pieces.
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import type { ByteSpan, OpenBlob } from './blob-store.ts'
import { writeSpan } from './write-span.ts'

/** Size of the pieces of a streamed download. */
const PIECE_BYTES = 512 * 1024

const readFile = promisify(read)

/** Returns `undefined` when the file does not exist. */
export function openBlobFile(path: string): OpenBlob | undefined {
  const file = openExisting(path)
  if (file === undefined) return undefined
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    sizeBytes: fstatSync(file).size,
    read: (span) => {
      try {
        return readWhole(file, span)
      } finally {
        close()
      }
    },
    stream: (span) => streamOf(file, span, close),
    writeTo: (outgoing, span) => writeSpan(file, span, outgoing, close),
    close,
  }
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

/** Whether the error means that the file does not exist. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function readWhole(file: number, { first, last }: ByteSpan): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(last - first + 1)
  let filled = 0
  while (filled < bytes.byteLength) {
    const count = readSync(file, bytes, filled, bytes.byteLength - filled, first + filled)
    if (count === 0) break
    filled += count
  }
  return filled === bytes.byteLength ? bytes : bytes.subarray(0, filled)
}

function streamOf(
  file: number,
  { first, last }: ByteSpan,
  close: () => void,
): ReadableStream<Uint8Array> {
  let position = first
  let isCancelled = false
  let reading = Promise.resolve()

  async function readPiece(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, last - position + 1))
    const { bytesRead } = await readFile(file, piece, 0, piece.length, position)
    // The consumer may have cancelled while the piece was read.
    if (isCancelled) return
    if (bytesRead === 0) throw new Error('the blob is shorter than its record says')
    position += bytesRead
    controller.enqueue(piece.subarray(0, bytesRead))
    if (position <= last) return
    close()
    controller.close()
  }

  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        reading = readPiece(controller).catch((error: unknown) => {
          close()
          throw error
        })
        return reading
      },
      cancel: async () => {
        isCancelled = true
        await reading.catch(() => undefined)
        close()
      },
    },
    // Disables read-ahead, so that the stream reads a piece only when the consumer asks for one.
    { highWaterMark: 0 },
  )
}
