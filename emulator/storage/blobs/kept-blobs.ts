// Blobs of saved states of the platform. A blob never changes, so a hard link is a copy. A blob that a saved state still needs is
// linked before it is removed.
import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blobPath } from './blob-folders.ts'
import type { BlobStore } from './blob-store.ts'

export interface KeptBlobs {
  /** The store to use from now on. */
  readonly blobs: BlobStore
  /** Links the blobs into `folder`; gives their bytes. */
  copyTo(folder: string, ids: Iterable<string>): number
  /** Puts back those of `ids` that were removed and are in `folder`. */
  putBack(folder: string, ids: Iterable<string>): void
  /** Empties `folder`; from now on removed blobs of `ids` are linked into it. */
  keepRemoved(folder: string, ids: ReadonlySet<string>): void
}

/** @param root folder of the store */
export function keepBlobs(files: BlobStore, root: string): KeptBlobs {
  let needed: ReadonlySet<string> = new Set()
  let keptIn = ''

  const link = (from: string, to: string): void => {
    if (existsSync(to) || !existsSync(from)) return
    mkdirSync(dirname(to), { recursive: true })
    try {
      linkSync(from, to)
    } catch {
      // Another file system, or one without hard links.
      copyFileSync(from, to)
    }
  }
  return {
    blobs: {
      ...files,
      remove: async (blobId) => {
        if (needed.has(blobId)) link(blobPath(root, blobId), join(keptIn, blobId))
        await files.remove(blobId)
      },
    },
    copyTo: (folder, ids) => {
      let bytes = 0
      for (const id of ids) {
        link(blobPath(root, id), join(folder, id))
        bytes += statSync(join(folder, id), { throwIfNoEntry: false })?.size ?? 0
      }
      return bytes
    },
    putBack: (folder, ids) => {
      for (const id of ids) link(join(folder, id), blobPath(root, id))
    },
    keepRemoved: (folder, ids) => {
      rmSync(folder, { recursive: true, force: true })
      needed = ids
      keptIn = folder
    },
  }
}
