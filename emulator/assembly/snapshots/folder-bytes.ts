// How much a folder takes.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of all files below `folder`; blobs that have other names elsewhere count, too. */
export function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  return bytes
}
