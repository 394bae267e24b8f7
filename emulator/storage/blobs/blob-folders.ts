// The folders of the disk store: `<root>/incoming` for bytes that are arriving, `<root>/<2 hex>` for blobs. Each is made once and none
// stays open: 256 open folders would be a quarter of the descriptors that a process usually has.
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makePrivateFolder } from '../../core/private-files.ts'

export interface BlobFolders {
  /** A path for bytes that are arriving. */
  stagingPath(name: string): string
  /** Path of a blob; makes its folder for the first blob in it. */
  pathOf(blobId: string): string
  /** Makes the blob's name as durable as its bytes. */
  flushFolderOf(blobId: string): Promise<void>
  /** Removes incomplete files and every blob that `isKnown` denies; gives the number of files. */
  sweep(isKnown: (blobId: string) => boolean): number
}

const STAGING = 'incoming'
const flush = promisify(fsync)

/** @param platform Windows cannot open a folder; NTFS journals names by itself (docs/reference/platforms.md) */
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
      return join(root, folder, blobId)
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

/** Path of a blob under `root`; its folder may be missing. */
export function blobPath(root: string, blobId: string): string {
  return join(root, folderOf(blobId), blobId)
}

function folderOf(blobId: string): string {
  return blobId.slice(0, 2)
}

function flushNow(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
