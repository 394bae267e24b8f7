// Manages the folders of the disk store: `<root>/incoming` holds bytes that are arriving, `<root>/<2 hex>` holds blobs. Folders
// are not kept open, because 256 descriptors would be a quarter of a process's usual limit.
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainPath } from '../../../core/plain-paths.ts'
import { makePrivateFolder } from '../../../core/private-files.ts'

const STAGING = 'incoming'
const flush = promisify(fsync)

export class BlobFolders {
  readonly #root: string
  readonly #flushesFolders
  readonly #made = new Set<string>()

  /**
   * @param platform `win32` turns off the flushing of folders. Windows cannot open a folder, and NTFS journals file names itself
   * (docs/platform-calls.md).
   */
  constructor(root: string, isDurable: boolean, platform: NodeJS.Platform = process.platform) {
    this.#root = root
    this.#flushesFolders = isDurable && platform !== 'win32'
    makePrivateFolder(root)
    mkdirSync(join(root, STAGING), { recursive: true })
  }

  /** Path for a file whose bytes are still arriving. */
  stagingPath(name: string): string {
    return join(this.#root, STAGING, name)
  }

  /** Path of a blob. Creates the blob's folder when absent. */
  pathOf(blobId: string): string {
    const folder = folderOf(blobId)
    this.#prepare(folder)
    return plainPath(join(this.#root, folder), blobId)
  }

  /** Flushes the blob's folder, so that the file name survives a crash. */
  async flushFolderOf(blobId: string): Promise<void> {
    if (!this.#flushesFolders) return
    const handle = openSync(join(this.#root, folderOf(blobId)), 'r')
    try {
      await flush(handle)
    } finally {
      closeSync(handle)
    }
  }

  /** Removes incomplete files, and blobs for which `isKnown` returns false. Returns the number of removed files. */
  sweep(isKnown: (blobId: string) => boolean): number {
    let removed = 0
    for (const folder of readdirSync(this.#root))
      for (const name of readdirSync(join(this.#root, folder))) {
        if (folder !== STAGING && isKnown(name)) continue
        rmSync(join(this.#root, folder, name), { force: true, recursive: true })
        removed += 1
      }
    return removed
  }

  #prepare(folder: string): void {
    if (this.#made.has(folder)) return
    mkdirSync(join(this.#root, folder), { recursive: true })
    this.#made.add(folder)
    if (this.#flushesFolders) flushNow(this.#root)
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
