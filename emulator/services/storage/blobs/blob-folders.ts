// Manages the folders of the disk store: `<root>/incoming` holds bytes that are arriving, `<root>/<2 hex>` holds blobs. Folders
// are not kept open, because 256 descriptors would be a quarter of a process's usual limit.
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainPath } from '../../../core/plain-paths.ts'
import { makePrivateFolder } from '../../../core/private-files.ts'

export interface BlobFolders {
  /** Path for a file whose bytes are still arriving. */
  stagingPath(name: string): string
  /** Path of a blob. Creates the blob's folder when absent. */
  pathOf(blobId: string): string
  /** Flushes the blob's folder, so that the file name survives a crash. */
  flushFolderOf(blobId: string): Promise<void>
  /** Removes incomplete files, and blobs for which `isKnown` returns false. Returns the number of removed files. */
  sweep(isKnown: (blobId: string) => boolean): number
}

const STAGING = 'incoming'
const flush = promisify(fsync)

/**
 * @param platform `win32` turns off the flushing of folders. Windows cannot open a folder, and NTFS journals file names itself
 * (docs/reference/platforms.md).
 */
export function openBlobFolders(
  root: string,
  isDurable: boolean,
  platform: NodeJS.Platform = process.platform,
): BlobFolders {
  const flushesFolders = isDurable && platform !== 'win32'
  makePrivateFolder(root)
  mkdirSync(join(root, STAGING), { recursive: true })
  const made = new Set<string>()

  function prepare(folder: string): void {
    if (made.has(folder)) return
    mkdirSync(join(root, folder), { recursive: true })
    made.add(folder)
    if (flushesFolders) flushNow(root)
  }

  return {
    stagingPath: (name) => join(root, STAGING, name),
    pathOf: (blobId) => {
      const folder = folderOf(blobId)
      prepare(folder)
      return plainPath(join(root, folder), blobId)
    },
    flushFolderOf: async (blobId) => {
      if (!flushesFolders) return
      const handle = openSync(join(root, folderOf(blobId)), 'r')
      try {
        await flush(handle)
      } finally {
        closeSync(handle)
      }
    },
    sweep: (isKnown) => {
      let removed = 0
      for (const folder of readdirSync(root))
        for (const name of readdirSync(join(root, folder))) {
          if (folder !== STAGING && isKnown(name)) continue
          rmSync(join(root, folder, name), { force: true, recursive: true })
          removed += 1
        }
      return removed
    },
  }
}

/** Path of a blob under `root`. Does not create its folder. @throws {UnsafePathError} */
export function blobPath(root: string, blobId: string): string {
  return plainPath(join(root, folderOf(blobId)), blobId)
}

/** @throws {UnsafePathError} for an identifier that would lead outside the store */
function folderOf(blobId: string): string {
  return plainPath('', blobId).slice(0, 2)
}

function flushNow(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
