// Keeps the blobs that snapshots and the baseline of the platform need. A blob never changes, so a hard link serves as a copy.
// Blobs that the baseline needs are linked into its folder before they are removed.
import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { plainPath } from '../../../core/plain-paths.ts'
import { blobPath } from './blob-folders.ts'
import type { BlobStore } from './blob-store.ts'

export interface KeptBlobs {
  /** The wrapped store. Callers must use the wrapped store instead of the original one. */
  readonly blobs: BlobStore
  /** Links the blobs into `folder`. Returns their total size in bytes. */
  copyTo(folder: string, ids: Iterable<string>): number
  /** Links blobs from `folder` back into the store, if they were removed from it. */
  putBack(folder: string, ids: Iterable<string>): void
  /** Empties `folder`. After this call, the store links each blob of `ids` into `folder` before it removes the blob. */
  keepRemoved(folder: string, ids: ReadonlySet<string>): void
}

/** @param root folder of the blob store */
export function keepBlobs(files: BlobStore, root: string): KeptBlobs {
  let needed: ReadonlySet<string> = new Set()
  let keptIn = ''

  const link = (from: string, to: string): void => {
    if (existsSync(to) || !existsSync(from)) return
    mkdirSync(dirname(to), { recursive: true })
    try {
      linkSync(from, to)
    } catch {
      // Hard links fail across file systems, and some file systems don't support them.
      copyFileSync(from, to)
    }
  }
  return {
    blobs: {
      ...files,
      remove: async (blobId) => {
        if (needed.has(blobId)) link(blobPath(root, blobId), plainPath(keptIn, blobId))
        await files.remove(blobId)
      },
    },
    copyTo: (folder, ids) => {
      let bytes = 0
      for (const id of ids) {
        const kept = plainPath(folder, id)
        link(blobPath(root, id), kept)
        bytes += statSync(kept, { throwIfNoEntry: false })?.size ?? 0
      }
      return bytes
    },
    putBack: (folder, ids) => {
      for (const id of ids) link(plainPath(folder, id), blobPath(root, id))
    },
    keepRemoved: (folder, ids) => {
      rmSync(folder, { recursive: true, force: true })
      needed = ids
      keptIn = folder
    },
  }
}
