// Bytes as they come, into a file: counted, hashed and bounded. Pieces are written together, one batch on its way while the
// next is collected, and the disk is kept busy meanwhile, so that the last flush is short.
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, open, writeSync, writev } from 'node:fs'
import { promisify } from 'node:util'
import { NO_SITUATIONS, type PlayedSituations, requireRoom } from '../../core/situations.ts'
import { refuse } from '../errors.ts'
import type { StageOptions } from './blob-store.ts'

/** What the files are on. */
export interface Medium {
  /** False for folders that pass with the process: nothing is flushed. */
  readonly isDurable: boolean
  /** May say that the disk is full for the request that writes. */
  readonly situations?: PlayedSituations | undefined
}

export interface WrittenFile {
  /** Open for flushing; closed by whoever takes it. */
  readonly file: number
  readonly sizeBytes: number
  readonly md5: string
}

/** Bytes written at once; two batches of them are the memory an upload takes. */
const BATCH_BYTES = 1 << 20
/** Bytes after which the disk is told to begin. */
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
  /** Gives true when a batch went out and the caller should wait for the one before. */
  add(piece: Uint8Array): boolean
  /** Resolves when at most one batch is on its way. @throws what the disk said */
  settled(): Promise<void>
  /** Writes the rest and gives the open file. */
  finish(): Promise<number>
  /** Waits for what is on its way and closes; never rejects. */
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
    // Heard at the next wait, which may never come when the source fails first.
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
      // A small file is written where it stands: handing it to another thread costs more than writing it.
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
  // A disk that is nearly full takes a part; the rest tells why.
  let skip = bytesWritten
  for (const piece of pieces) {
    if (skip < piece.byteLength) writeNow(file, [piece.subarray(skip)])
    skip = Math.max(skip - piece.byteLength, 0)
  }
}
