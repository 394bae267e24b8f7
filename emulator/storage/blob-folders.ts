// The folders of the disk store: `<root>/incoming` for bytes on their way, `<root>/<2 hex>` for blobs. Each is made and
// opened once, because it is flushed for every blob that comes to it.
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makePrivateFolder } from '../core/private-files.ts'

export interface BlobFolders {
  /** A path for bytes on their way. */
  stagingPath(name: string): string
  /** Where a blob is, or will be; makes its folder when it is the first one in it. */
  pathOf(blobId: string): string
  /** Makes the blob's name as durable as its bytes. */
  flushFolderOf(blobId: string): Promise<void>
  /** Removes all that is on its way, and every blob that `isKnown` denies; gives how many files that were. */
  sweep(isKnown: (blobId: string) => boolean): number
  close(): void
}

const STAGING = 'incoming'
const flush = promisify(fsync)

export function openBlobFolders(root: string, isDurable: boolean): BlobFolders {
  makePrivateFolder(root)
  mkdirSync(join(root, STAGING), { recursive: true })
  const handles = new Map<string, number | undefined>()

  function prepare(folder: string): void {
    if (handles.has(folder)) return
    const path = join(root, folder)
    mkdirSync(path, { recursive: true })
    handles.set(folder, isDurable ? openFolder(path) : undefined)
    if (isDurable) flushNow(root)
  }

  return {
    stagingPath: (name) => join(root, STAGING, name),
    pathOf: (blobId) => {
      const folder = folderOf(blobId)
      prepare(folder)
      return join(root, folder, blobId)
    },
    flushFolderOf: async (blobId) => {
      const handle = handles.get(folderOf(blobId))
      if (handle !== undefined) await flush(handle)
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
    close: () => {
      for (const handle of handles.values()) if (handle !== undefined) closeSync(handle)
      handles.clear()
    },
  }
}

/** Where a blob is under `root`; its folder may be missing. */
export function blobPath(root: string, blobId: string): string {
  return join(root, folderOf(blobId), blobId)
}

function folderOf(blobId: string): string {
  return blobId.slice(0, 2)
}

// Windows opens no folders, and needs none flushed.
function openFolder(path: string): number | undefined {
  return process.platform === 'win32' ? undefined : openSync(path, 'r')
}

function flushNow(path: string): void {
  const handle = openFolder(path)
  if (handle === undefined) return
  fsyncSync(handle)
  closeSync(handle)
}
