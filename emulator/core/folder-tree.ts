// Lists everything below a folder. Unlike `readdirSync` with `recursive`, it never follows a link, which may lead to a whole
// disk. One folder that cannot be read does not hide the others.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemErrorCode } from './system-error.ts'

export interface FolderTree {
  /** Paths of the folder itself and of all folders below it that could be read. */
  readonly folders: readonly string[]
  /** Paths of all files. Links and devices are not in the list. */
  readonly files: readonly string[]
  readonly unreadable: readonly UnreadableFolder[]
}

export interface UnreadableFolder {
  readonly path: string
  /** Code of the operating system, e.g. `EACCES`. */
  readonly code: string
}

/** Returns paths that begin with `root`. Without a folder at `root`, `unreadable` contains it with the code `ENOENT`. */
export function readFolderTree(root: string): FolderTree {
  const folders: string[] = []
  const files: string[] = []
  const unreadable: UnreadableFolder[] = []
  const left = [root]
  for (let path = left.pop(); path !== undefined; path = left.pop())
    try {
      const entries = readdirSync(path, { withFileTypes: true })
      folders.push(path)
      for (const entry of entries)
        if (entry.isDirectory()) left.push(join(path, entry.name))
        else if (entry.isFile()) files.push(join(path, entry.name))
    } catch (error) {
      const code = systemErrorCode(error)
      if (code === undefined) throw error
      unreadable.push({ path, code })
    }
  return { folders, files, unreadable }
}
