// Blobs as files: written under a passing name, renamed to `<2 hex>/<blobId>`, flushed before anybody is told. A crash
// leaves passing names and files no record knows, which the sweep at start removes.
import { createHash } from 'node:crypto'
import { constants, mkdirSync } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  unlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { IdSource } from '../core/id-source.ts'
import type { BlobStore, ByteSpan, OpenBlob, StagedBlob } from './blob-store.ts'
import { refuse, StorageError } from './errors.ts'

export interface DiskBlobStoreOptions {
  /** Folder for the blobs alone, made when absent. */
  readonly root: string
  readonly ids: IdSource
  /** False for folders that pass with the process: nothing is flushed. */
  readonly isDurable: boolean
}

/** Pieces of a streamed download. */
const PIECE_BYTES = 256 * 1024
const STAGING = 'incoming'

interface StagedFile extends StagedBlob {
  readonly path: string
  readonly file: FileHandle
}

export function openDiskBlobStore({ root, ids, isDurable }: DiskBlobStoreOptions): BlobStore {
  const staging = join(root, STAGING)
  mkdirSync(staging, { recursive: true })
  const folders = createFolders(root, isDurable)
  const staged = new WeakMap<StagedBlob, StagedFile>()

  function fileOf(blob: StagedBlob): StagedFile {
    const file = staged.get(blob)
    if (file === undefined) throw new TypeError('these bytes were not staged here')
    staged.delete(blob)
    return file
  }

  async function settle(path: string, file: FileHandle, blobId: string): Promise<void> {
    const folder = await folders.of(blobId)
    await rename(path, folder.pathOf(blobId))
    // Renamed first: on a journalling file system the two flushes then are one write of the journal.
    if (isDurable) await Promise.all([file.sync(), folder.flush()])
  }

  return {
    stage: async (bytes, { limitBytes = Number.POSITIVE_INFINITY } = {}) => {
      const path = join(staging, ids.uuid())
      const file = await open(path, 'wx').catch(refuseDisk)
      try {
        const blob = await writeDown(bytes, file, limitBytes)
        staged.set(blob, { ...blob, path, file })
        return blob
      } catch (error) {
        await file.close()
        await unlink(path)
        throw error
      }
    },
    keep: async (blob, blobId) => {
      const { path, file } = fileOf(blob)
      try {
        await settle(path, file, blobId)
      } catch (error) {
        await rm(path, { force: true })
        return refuseDisk(error)
      } finally {
        await file.close()
      }
    },
    discard: async (blob) => {
      const { path, file } = fileOf(blob)
      await file.close()
      await unlink(path)
    },
    copy: async (blobId, newBlobId) => {
      const path = join(staging, ids.uuid())
      try {
        const folder = await folders.of(blobId)
        await copyFile(folder.pathOf(blobId), path, constants.COPYFILE_FICLONE)
        const file = await open(path, 'r+')
        try {
          await settle(path, file, newBlobId)
        } finally {
          await file.close()
        }
        return true
      } catch (error) {
        await rm(path, { force: true })
        if (isCode(error, 'ENOENT')) return false
        return refuseDisk(error)
      }
    },
    open: async (blobId) => {
      try {
        const file = await open((await folders.of(blobId)).pathOf(blobId), 'r')
        return openBlob(file, (await file.stat()).size)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    remove: async (blobId) => {
      await rm((await folders.of(blobId)).pathOf(blobId), { force: true })
    },
    sweep: async (isKnown) => (await sweepStaging(staging)) + (await sweepKept(root, isKnown)),
    close: () => folders.close(),
  }
}

async function writeDown(
  bytes: AsyncIterable<Uint8Array>,
  file: FileHandle,
  limitBytes: number,
): Promise<StagedBlob> {
  const hash = createHash('md5')
  let sizeBytes = 0
  let writing: Promise<unknown> = Promise.resolve()
  for await (const piece of readable(bytes)) {
    sizeBytes += piece.byteLength
    // The file is closed by whoever hears of a refusal: not while something is being written.
    await writing
    if (sizeBytes > limitBytes) throw refuse.tooLarge()
    writing = writeAll(file, piece).catch(refuseDisk)
    // Awaited in the next round, which may never come when the source fails first.
    writing.catch(() => undefined)
    hash.update(piece)
  }
  await writing
  return { sizeBytes, md5: hash.digest('hex') }
}

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  let written = 0
  while (written < piece.byteLength)
    written += (await file.write(piece, written, piece.byteLength - written)).bytesWritten
}

// Leaving the loop early must not cancel a web stream: that would cut the connection before its answer.
async function* readable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = bytes instanceof ReadableStream ? bytes.values({ preventCancel: true }) : bytes
  try {
    yield* source
  } catch (cause) {
    if (cause instanceof StorageError) throw cause
    throw new StorageError('clientGone', 'The body ended before it was whole.', { cause })
  }
}

interface Folder {
  pathOf(blobId: string): string
  flush(): Promise<void>
}

interface Folders {
  /** Makes the folder when the blob is the first one in it. */
  of(blobId: string): Promise<Folder>
  close(): Promise<void>
}

// 256 of them, made and opened once: a folder is flushed for every blob that comes.
function createFolders(root: string, isDurable: boolean): Folders {
  const known = new Map<string, Promise<Folder & { close(): Promise<void> }>>()
  async function prepare(name: string) {
    const path = join(root, name)
    await mkdir(path, { recursive: true })
    const handle = isDurable ? await openFolder(path) : undefined
    if (isDurable) await flushFolder(root)
    return {
      pathOf: (blobId: string) => join(path, blobId),
      flush: async () => handle?.sync(),
      close: async () => handle?.close(),
    }
  }
  return {
    of: (blobId) => {
      const name = blobId.slice(0, 2)
      const folder = known.get(name) ?? prepare(name)
      known.set(name, folder)
      folder.catch(() => known.delete(name))
      return folder
    },
    close: async () => {
      for (const folder of known.values()) await (await folder.catch(() => undefined))?.close()
      known.clear()
    },
  }
}

// Windows opens no folders, and needs none flushed.
async function openFolder(path: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(path, 'r')
}

async function flushFolder(path: string): Promise<void> {
  const handle = await openFolder(path)
  await handle?.sync()
  await handle?.close()
}

function openBlob(file: FileHandle, sizeBytes: number): OpenBlob {
  return {
    sizeBytes,
    read: async ({ first, last }) => {
      try {
        const bytes = new Uint8Array(last - first + 1)
        const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, first)
        return bytesRead === bytes.byteLength ? bytes : bytes.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    stream: (span) => streamOf(file, span),
    close: () => file.close(),
  }
}

function streamOf(file: FileHandle, { first, last }: ByteSpan): ReadableStream<Uint8Array> {
  let position = first
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, last - position + 1))
        const { bytesRead } = await file.read(piece, 0, piece.length, position)
        position += bytesRead
        if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead))
        if (bytesRead > 0 && position <= last) return
        await file.close()
        controller.close()
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  )
}

async function sweepStaging(staging: string): Promise<number> {
  const left = await readdir(staging)
  for (const name of left) await rm(join(staging, name), { force: true })
  return left.length
}

async function sweepKept(root: string, isKnown: (blobId: string) => boolean): Promise<number> {
  let removed = 0
  for (const folder of await readdir(root)) {
    if (folder === STAGING) continue
    for (const blobId of await readdir(join(root, folder))) {
      if (isKnown(blobId)) continue
      await rm(join(root, folder, blobId), { force: true })
      removed += 1
    }
  }
  return removed
}

function refuseDisk(error: unknown): never {
  if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT'))
    throw new StorageError('diskFull', 'The disk of the data directory is full.', {
      hint: 'Nothing was stored; free space and repeat the request.',
      cause: error,
    })
  throw error
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
