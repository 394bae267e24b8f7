// A folder with files that must not change. Compares hashes before and after, and watches the folder in between.
import { createHash } from 'node:crypto'
import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export interface WatchedFolder {
  readonly path: string
  /** @throws {Error} when a file was created, changed, read-protected or removed since the folder was made */
  requireUntouched(): void
  close(): void
}

/** Makes the folder `precious` in `parent`, with a few files and a hidden one. */
export function makePrecious(parent: string): WatchedFolder {
  const path = join(parent, 'precious')
  mkdirSync(join(path, 'inside'), { recursive: true })
  for (const name of ['a.txt', '.hidden', 'hostname', 'inside/platform.db'])
    writeFileSync(join(path, name), `precious ${name}`)
  const before = listing(path)
  const events: string[] = []
  const watchers: FSWatcher[] = [path, join(path, 'inside')].map((folder) =>
    watch(folder, (event, name) => events.push(`${event} ${join(folder, name ?? '')}`)),
  )
  return {
    path,
    requireUntouched: () => {
      const now = listing(path)
      if (now !== before) throw new Error(`${path} was changed: ${before} became ${now}`)
      if (events.length > 0) throw new Error(`${path} was touched: ${events.join(', ')}`)
    },
    close: () => {
      for (const watcher of watchers) watcher.close()
    },
  }
}

function listing(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String).toSorted()
  return JSON.stringify(
    names.map((name) => {
      const path = join(folder, name)
      const { isFile, mode, mtimeMs } = factsOf(path)
      const hash = isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
      return [name, mode, mtimeMs, hash]
    }),
  )
}

function factsOf(path: string): { isFile: boolean; mode: number; mtimeMs: number } {
  const stats = statSync(path)
  return { isFile: stats.isFile(), mode: stats.mode, mtimeMs: stats.mtimeMs }
}
