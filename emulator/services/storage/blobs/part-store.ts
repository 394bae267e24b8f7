// Stores the bytes of resumable uploads. Each upload has one file, named by its id, that grows with each request. The finished
// file is copied into a blob.
import { createReadStream, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { plainPath } from '../../../core/plain-paths.ts'
import { makePrivateFolder } from '../../../core/private-files.ts'
import { NO_SITUATIONS, type PlayedSituations, requireRoom } from '../../../core/situations.ts'
import { namedFailure, refuse } from '../errors.ts'
import { isMissingFile } from './blob-reader.ts'
import type { Medium } from './blob-writer.ts'

export interface DiskPartStoreOptions extends Medium {
  /** Folder used only for part files. The store creates the folder when absent. */
  readonly root: string
}

export function openDiskPartStore(options: DiskPartStoreOptions): PartStore {
  const { root, isDurable, situations = NO_SITUATIONS } = options
  makePrivateFolder(root)
  const pathOf = (id: string): string => plainPath(root, id)
  return {
    append: async (id, at, bytes) => {
      const file = await openAt(pathOf(id), at)
      try {
        const appended = await writeAll(file, at, bytes, situations)
        if (isDurable) await file.datasync()
        return appended
      } finally {
        await file.close()
      }
    },
    read: (id, sizeBytes) => readStart(pathOf(id), sizeBytes),
    remove: async (id) => rm(pathOf(id), { force: true }),
    sweep: (isKnown) => {
      const unknown = readdirSync(root).filter((id) => !isKnown(id))
      for (const name of unknown) rmSync(join(root, name), { force: true, recursive: true })
      return unknown.length
    },
  }
}

async function openAt(path: string, at: number): Promise<FileHandle> {
  // The file is not opened in append mode, because append mode ignores positions. Only the first bytes of an upload create the
  // file.
  const file = await open(path, at === 0 ? 'w' : 'r+').catch((error: unknown) => {
    throw isMissingFile(error) ? refuse.bytesMissing() : namedFailure(error)
  })
  const { size } = await file.stat()
  if (size >= at) return file
  await file.close()
  throw refuse.bytesMissing()
}

async function writeAll(
  file: FileHandle,
  at: number,
  bytes: AsyncIterable<Uint8Array>,
  situations: PlayedSituations,
): Promise<Appended> {
  let writtenBytes = 0
  try {
    for await (const piece of bytes) {
      requireRoom(situations)
      await writePiece(file, piece, at + writtenBytes)
      writtenBytes += piece.byteLength
    }
    return { writtenBytes }
  } catch (error) {
    return { writtenBytes, failure: namedFailure(error) }
  }
}

async function writePiece(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < piece.byteLength; ) {
    const rest = piece.byteLength - written
    written += (await file.write(piece, written, rest, position + written)).bytesWritten
  }
}

async function* readStart(path: string, sizeBytes: number): AsyncGenerator<Uint8Array> {
  if (sizeBytes === 0) return
  let readBytes = 0
  try {
    for await (const piece of createReadStream(path, {
      end: sizeBytes - 1,
      highWaterMark: 256 * 1024,
    })) {
      readBytes += piece.length
      yield piece
    }
  } catch (error) {
    throw isMissingFile(error) ? refuse.bytesMissing() : error
  }
  if (readBytes < sizeBytes) throw refuse.bytesMissing()
}

export interface Appended {
  /** Number of bytes written durably, counted from `at`. */
  readonly writtenBytes: number
  /** The error that ended the write early, from reading `bytes` or from writing to the disk. */
  readonly failure?: unknown
}

export interface PartStore {
  /**
   * Writes bytes from position `at` on. Overwrites bytes that a crash left there. Bytes that arrived before a failure are kept.
   * @throws {StorageError} `bytesMissing` when the file is shorter than `at`
   */
  append(id: string, at: number, bytes: AsyncIterable<Uint8Array>): Promise<Appended>
  /** Reads the first `sizeBytes` bytes. @throws {StorageError} `bytesMissing` */
  read(id: string, sizeBytes: number): AsyncIterable<Uint8Array>
  /** Does nothing when the file does not exist. */
  remove(id: string): Promise<void>
  /** Removes the files for which `isKnown` returns false. Returns the number of removed files. */
  sweep(isKnown: (id: string) => boolean): number
}
