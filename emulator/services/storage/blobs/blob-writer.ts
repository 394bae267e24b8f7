// Writes arriving bytes to a file, counts and hashes the bytes, and enforces the size limit. The writer collects the next batch
// while it writes the previous one. The writer flushes during the upload, so that the final flush is short.
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, open, writeSync, writev } from 'node:fs'
import { promisify } from 'node:util'
import { freeBytes } from '../../../core/free-bytes.ts'
import { NO_SITUATIONS, type PlayedSituations, requireRoom } from '../../../core/situations.ts'
import { refuse } from '../errors.ts'
import type { StageOptions } from './blob-store.ts'

/** Properties of the disk that the files are on. */
export interface Medium {
  /** Whether writes are flushed to the disk. False for temporary folders. */
  readonly isDurable: boolean
  /** Simulates a full disk for the request that writes. */
  readonly situations?: PlayedSituations | undefined
}

export interface WrittenFile {
  /** Descriptor of the open file. The caller flushes and closes it. */
  readonly file: number
  readonly sizeBytes: number
  readonly md5: string
}

/** Number of bytes written in one call. An upload uses the memory of two batches. */
const BATCH_BYTES = 1 << 20
/** Number of written bytes after which a flush starts. */
const FLUSH_BYTES = 8 << 20

// Files are created in the thread pool, because creating a file blocks while the file system writes its journal.
const create = promisify(open)
const writeBatch = promisify(writev)
const flushBytes = promisify(fdatasync)

/**
 * Writes all of `bytes` to a new file. On failure, closes the file; the caller then removes the file.
 * @throws {StorageError} `tooLarge`; what the source or the disk throws
 */
export async function writeBlobFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { limitBytes = Number.POSITIVE_INFINITY, ownsPieces = false }: StageOptions,
  medium: Medium,
): Promise<WrittenFile> {
  const hash = createHash('md5')
  const writer = openWriter(await create(path, 'wx'), medium, ownsPieces)
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
  /**
   * Adds a piece to the batch. Returns true when the writer started to write a batch. The caller should then await `settled()`.
   */
  add(piece: Uint8Array): boolean
  /** Resolves when at most one batch is still being written. @throws the error of the disk */
  settled(): Promise<void>
  /** Writes the remaining bytes and returns the open file. */
  finish(): Promise<number>
  /** Waits for writes in progress, then closes the file. The promise never rejects. */
  abandon(): Promise<void>
}

function openWriter(
  file: number,
  { isDurable, situations = NO_SITUATIONS }: Medium,
  ownsPieces: boolean,
): Writer {
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
    if (ownsPieces) writing = writing.then(() => pieces.forEach(freeBytes))
    // `settled` or `finish` reports the disk's error. The empty handler prevents an unhandled rejection when the source fails
    // first and neither method is called.
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
      // Writes a small file in this thread, because passing it to the thread pool costs more than the write.
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
  // A nearly full disk writes only some of the bytes. Writing the rest throws the error that explains why.
  let skip = bytesWritten
  for (const piece of pieces) {
    if (skip < piece.byteLength) writeNow(file, [piece.subarray(skip)])
    skip = Math.max(skip - piece.byteLength, 0)
  }
}
