// Blobs of earlier states of the platform. A blob never changes, so a second name of its file is a copy; one that an earlier
// state still needs gets such a name before it is removed.
import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blobPath } from './blob-folders.ts'
import type { BlobStore } from './blob-store.ts'

export interface KeptBlobs {
  /** The store to use from now on. */
  readonly blobs: BlobStore
  /** Gives the blobs second names in `folder`; gives their bytes. */
  copyTo(folder: string, ids: Iterable<string>): number
  /** Puts back those of `ids` that are gone and have a name in `folder`. */
  putBack(folder: string, ids: Iterable<string>): void
  /** From now on whatever of `ids` is removed keeps a name in `folder`, which is emptied. */
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
      // Another file system, or one without links.
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
