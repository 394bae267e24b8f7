// Stores blobs as files. Each file is written under a temporary name, renamed to `<2 hex>/<blobId>`, and flushed before the
// call resolves. The sweep at the next start removes temporary files, and files without a record, that a crash left.
import { closeSync, constants, fsync, openSync, renameSync } from 'node:fs'
import { copyFile, rm, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { IdSource } from '../../../core/id-source.ts'
import { NO_SITUATIONS, requireRoom } from '../../../core/situations.ts'
import { namedFailure } from '../errors.ts'
import { BlobFolders } from './blob-folders.ts'
import { isMissingFile, openBlobFile } from './blob-reader.ts'
import type { BlobStore, StagedBlob } from './blob-store.ts'
import { type Medium, writeBlobFile } from './blob-writer.ts'

export interface DiskBlobStoreOptions extends Medium {
  /** Folder used only for blobs. The store creates the folder when absent. */
  readonly root: string
  readonly ids: IdSource
}

interface StagedFile extends StagedBlob {
  readonly path: string
  readonly file: number
}

const flush = promisify(fsync)

// Waits for all promises, even when one rejects, because the caller closes the file afterwards.
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

export function openDiskBlobStore(options: DiskBlobStoreOptions): BlobStore {
  const { root, ids, isDurable, situations = NO_SITUATIONS } = options
  const folders = new BlobFolders(root, isDurable)
  const staged = new WeakMap<StagedBlob, StagedFile>()

  function take(blob: StagedBlob): StagedFile {
    const file = staged.get(blob)
    if (file === undefined)
      throw new TypeError('this blob was not staged by this store, or was already placed')
    staged.delete(blob)
    return file
  }

  async function settle(path: string, file: number, blobId: string): Promise<void> {
    try {
      renameSync(path, folders.pathOf(blobId))
      // The record is written after both flushes, so their order does not matter. Simultaneous flushes take as long as one flush.
      if (isDurable) await allDone([flush(file), folders.flushFolderOf(blobId)])
    } finally {
      closeSync(file)
    }
  }

  return {
    stage: async (bytes, bounds = {}) => {
      const path = folders.stagingPath(ids.uuid())
      try {
        const { file, sizeBytes, md5 } = await writeBlobFile(path, bytes, bounds, options)
        const blob = { sizeBytes, md5 }
        staged.set(blob, { ...blob, path, file })
        return blob
      } catch (error) {
        await rm(path, { force: true })
        throw namedFailure(error)
      }
    },
    keep: async (blob, blobId) => {
      const { path, file } = take(blob)
      try {
        await settle(path, file, blobId)
      } catch (error) {
        await rm(path, { force: true })
        await rm(folders.pathOf(blobId), { force: true })
        throw namedFailure(error)
      }
    },
    discard: async (blob) => {
      const { path, file } = take(blob)
      closeSync(file)
      await rm(path, { force: true })
    },
    copy: async (blobId, newBlobId) => {
      const path = folders.stagingPath(ids.uuid())
      try {
        requireRoom(situations)
        await copyFile(folders.pathOf(blobId), path, constants.COPYFILE_FICLONE)
        await settle(path, openSync(path, 'r+'), newBlobId)
        return true
      } catch (error) {
        await rm(path, { force: true })
        if (isMissingFile(error)) return false
        throw namedFailure(error)
      }
    },
    open: (blobId) => openBlobFile(folders.pathOf(blobId)),
    remove: async (blobId) => {
      await unlink(folders.pathOf(blobId)).catch((error: unknown) => {
        if (!isMissingFile(error)) throw error
      })
    },
    sweep: (isKnown) => folders.sweep(isKnown),
  }
}
