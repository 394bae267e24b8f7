// Writes arriving bytes to a file and counts, hashes and bounds them. Pieces are written in batches, one while the next is collected, and
// flushed on the way, so that the last flush is short.
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, open, writeSync, writev } from 'node:fs'
import { promisify } from 'node:util'
import { NO_SITUATIONS, type PlayedSituations, requireRoom } from '../../core/situations.ts'
import { refuse } from '../errors.ts'
import type { StageOptions } from './blob-store.ts'

/** Properties of the disk. */
export interface Medium {
  /** False for temporary folders: nothing is flushed. */
  readonly isDurable: boolean
  /** Simulates a full disk for the request that writes. */
  readonly situations?: PlayedSituations | undefined
}

export interface WrittenFile {
  /** Open for flushing; the caller closes it. */
  readonly file: number
  readonly sizeBytes: number
  readonly md5: string
}

/** Bytes written at once; two batches of them are the memory an upload takes. */
const BATCH_BYTES = 1 << 20
/** Bytes after which a flush begins. */
const FLUSH_BYTES = 8 << 20

// In the thread pool: making a file waits while the file system's journal is being written.
const create = promisify(open)
const writeBatch = promisify(writev)
const flushBytes = promisify(fdatasync)

/**
 * Writes all of `bytes` to a new file; when it fails the file is closed and the caller removes it.
 * @throws {StorageError} `tooLarge`; what the source or the disk throws
 */
export async function writeBlobFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { limitBytes = Number.POSITIVE_INFINITY }: StageOptions,
  medium: Medium,
): Promise<WrittenFile> {
  const hash = createHash('md5')
  const writer = openWriter(await create(path, 'wx'), medium)
  let sizeBytes = 0
  try {
    for await (const piece of bytes) {
      sizeBytes += piece.byteLength
      if (sizeBytes > limitBytes) throw refuse.tooLarge()
      hash.update(piece)
      if (writer.add(piece)) await writer.settled()
    }
    return { file: await writer.finish(), sizeBytes, md5: hash.digest('hex') }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

interface Writer {
  /** Gives true when a batch was sent and the caller should wait for the previous one. */
  add(piece: Uint8Array): boolean
  /** Resolves when at most one batch is being written. @throws the disk's error */
  settled(): Promise<void>
  /** Writes the rest and gives the open file. */
  finish(): Promise<number>
  /** Waits for writes in progress and closes; never rejects. */
  abandon(): Promise<void>
}

function openWriter(file: number, { isDurable, situations = NO_SITUATIONS }: Medium): Writer {
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let unflushedBytes = 0
  let hasSent = false
  let writing = Promise.resolve()
  let before = Promise.resolve()
  let flushing = Promise.resolve()

  function send(): void {
    hasSent = true
    const pieces = batch
    const expected = batchBytes
    batch = []
    batchBytes = 0
    before = writing
    writing = before.then(() => {
      requireRoom(situations)
      return writeWhole(file, pieces, expected)
    })
    // The next wait reports the error; there may be none when the source fails first.
    writing.catch(() => undefined)
    unflushedBytes += expected
    if (!isDurable || unflushedBytes < FLUSH_BYTES) return
    unflushedBytes = 0
    flushing = Promise.all([flushing, writing]).then(() => flushBytes(file))
    flushing.catch(() => undefined)
  }

  return {
    add: (piece) => {
      batch.push(piece)
      batchBytes += piece.byteLength
      if (batchBytes < BATCH_BYTES) return false
      send()
      return true
    },
    settled: () => before,
    finish: async () => {
      // A small file is written in this thread: handing it to another one costs more than writing it.
      if (hasSent) send()
      else {
        requireRoom(situations)
        writeNow(file, batch)
      }
      await Promise.all([writing, flushing])
      return file
    },
    abandon: async () => {
      await Promise.allSettled([writing, flushing])
      closeSync(file)
    },
  }
}

function writeNow(file: number, pieces: readonly Uint8Array[]): void {
  for (const piece of pieces)
    for (let written = 0; written < piece.byteLength; )
      written += writeSync(file, piece, written, piece.byteLength - written)
}

async function writeWhole(
  file: number,
  pieces: readonly Uint8Array[],
  expected: number,
): Promise<void> {
  const { bytesWritten } = await writeBatch(file, pieces)
  if (bytesWritten === expected) return
  // A nearly full disk accepts a part; writing the rest gives the reason.
  let skip = bytesWritten
  for (const piece of pieces) {
    if (skip < piece.byteLength) writeNow(file, [piece.subarray(skip)])
    skip = Math.max(skip - piece.byteLength, 0)
  }
}
