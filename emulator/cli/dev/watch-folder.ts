// Watches a folder and everything below it, and reports when its files have changed and the changes have settled.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Cancel, Clock } from '../../core/clock.ts'
import type { EpochMillis } from '../../core/time.ts'

export interface FolderWatch {
  close(): void
}

export interface WatchOptions {
  readonly wallClock: Clock
  /** Absolute paths of files whose changes are not reported, because this process writes them. */
  readonly ignored: () => readonly string[]
  /** Called once for all changes that follow each other closely. @param at wall time of the first one */
  readonly onChange: (at: EpochMillis) => void
}

/** Wall-clock milliseconds without a further event until a change counts as settled. Editors write a file in several steps. */
const SETTLE_MILLIS = 40
/** Wall-clock milliseconds after the first event until a change is reported although further events arrive. */
const LONGEST_WAIT_MILLIS = 500

/**
 * Watches each folder on its own: an editor that replaces a file by renaming another one onto it ends a watch on the file. The
 * folder itself may be removed and come back, for example when a branch is checked out.
 */
export function watchFolder(folder: string, options: WatchOptions): FolderWatch {
  const { ignored, onChange, wallClock } = options
  const watchers = new Map<string, FSWatcher>()
  let seen = fingerprintOf(folder, ignored())
  let firstAt: EpochMillis | undefined
  let cancel: Cancel | undefined

  function settle(): void {
    cancel = undefined
    const at = firstAt
    firstAt = undefined
    watchAll()
    const now = fingerprintOf(folder, ignored())
    if (now === seen || at === undefined) return
    seen = now
    onChange(at)
  }
  function noteEvent(): void {
    const now = wallClock.now()
    firstAt ??= now
    cancel?.()
    const longest = firstAt + LONGEST_WAIT_MILLIS - now
    cancel = wallClock.after(Math.max(Math.min(SETTLE_MILLIS, longest), 0), settle)
  }
  function watchAll(): void {
    const folders = foldersBelow(folder)
    for (const [path, watcher] of watchers)
      if (!folders.includes(path)) {
        watcher.close()
        watchers.delete(path)
      }
    for (const path of folders) if (!watchers.has(path)) add(path, noteEvent)
  }
  // A folder can be gone before its watch begins. Then the watch of its parent reports it.
  function add(path: string, listener: (event: string, name: string | null) => void): void {
    try {
      const watcher = watch(path, listener)
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(path)
        noteEvent()
      })
      watchers.set(path, watcher)
    } catch {
      noteEvent()
    }
  }
  const parent = watch(dirname(folder), (_, name) => {
    if (name !== basename(folder)) return
    // A folder that came back under the same name is another one.
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
    noteEvent()
  })
  parent.on('error', () => parent.close())
  watchAll()
  return {
    close: () => {
      cancel?.()
      parent.close()
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function foldersBelow(folder: string): readonly string[] {
  return [
    ...(isFolder(folder) ? [folder] : []),
    ...entriesBelow(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name, parentPath }) => join(parentPath, name)),
  ]
}

/** Names, sizes and times of all files. Reading their contents would take long for large files. */
function fingerprintOf(folder: string, ignored: readonly string[]): string {
  return entriesBelow(folder)
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((path) => !ignored.includes(path))
    .map((path) => {
      const stats = statSync(path, { throwIfNoEntry: false })
      return `${path} ${stats?.size} ${stats?.mtimeMs} ${stats?.ino}`
    })
    .toSorted()
    .join('\n')
}

function entriesBelow(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
