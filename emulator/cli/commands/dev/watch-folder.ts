// Watches a folder and everything below it, and reports when its files have changed and the changes have settled.
import { type FSWatcher, type Stats, statSync, watch } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import type { Cancel, Clock } from '../../../core/clock.ts'
import { type FolderTree, readFolderTree } from '../../../core/folder-tree.ts'
import { systemErrorCode } from '../../../core/system-error.ts'
import type { EpochMillis } from '../../../core/time.ts'

export interface FolderWatch {
  /** Marks the current files as reported. Call it before reading them, or a save from just before would be reported again. */
  noteRead(): void
  close(): void
}

export interface WatchOptions {
  readonly wallClock: Clock
  /** Absolute paths of files and folders whose changes are not reported. */
  readonly ignored: () => readonly string[]
  /** Called once for all changes that follow each other closely. @param at wall time of the first one */
  readonly onChange: (at: EpochMillis) => void
  /** Called when a part of the folder cannot be watched, with the reason, and with `undefined` when all of it is watched again. */
  readonly onProblem: (problem: string | undefined) => void
}

/** A change is reported after this many wall-clock milliseconds without an event. Editors write a file in several steps. */
const SETTLE_MILLIS = 40
/** A change is reported at the latest this many wall-clock milliseconds after its first event, even if further events arrive. */
const LONGEST_WAIT_MILLIS = 500
/** Wall-clock milliseconds between two scans while a part of the folder cannot be watched. */
const RESCAN_MILLIS = 1_000

/**
 * Watches folders, not files: an editor that replaces a file by renaming another file would end a watch on the file. The folder
 * itself may be removed and created again, for example when a branch is checked out. While a part of the folder cannot be
 * watched, the function scans the folder every second instead.
 */
export function watchFolder(folder: string, options: WatchOptions): FolderWatch {
  const { ignored, onChange, onProblem, wallClock } = options
  const parent = dirname(folder)
  const watched = new Map<string, WatchedFolder>()
  let problem: string | undefined
  let firstAt: EpochMillis | undefined
  let cancel: Cancel | undefined
  let seen = scan()

  function settle(): void {
    const at = firstAt ?? wallClock.now()
    firstAt = undefined
    cancel = undefined
    const now = scan()
    if (now === seen) return
    seen = now
    onChange(at)
  }
  function noteEvent(): void {
    firstAt ??= wallClock.now()
    cancel?.()
    const longest = firstAt + LONGEST_WAIT_MILLIS - wallClock.now()
    cancel = wallClock.after(Math.max(Math.min(SETTLE_MILLIS, longest), 0), settle)
  }
  /** Watches what is not watched yet. Returns the fingerprint of the files. */
  function scan(): string {
    const tree = readFolderTree(folder)
    const folders = new Set([parent, ...tree.folders])
    for (const path of watched.keys()) if (!folders.has(path)) end(path)
    const refusals = [...folders].flatMap((path) => keepWatching(path) ?? [])
    const found = problemOf(folder, tree) ?? refusals[0]
    if (found !== problem) onProblem(found)
    problem = found
    if (problem !== undefined) cancel ??= wallClock.after(RESCAN_MILLIS, settle)
    return fingerprintOf(tree.files, ignored())
  }
  /** Returns the reason when the system refuses the watch. */
  function keepWatching(path: string): string | undefined {
    const node = statsOf(path)?.ino
    const known = watched.get(path)
    // A folder that was removed and created again under the same name has another inode and needs a new watch.
    if (known !== undefined && known.node === node) return undefined
    end(path)
    try {
      const watcher = watch(path, path === parent ? noteSibling : noteEvent)
      watcher.on('error', () => {
        end(path)
        noteEvent()
      })
      watched.set(path, { watcher, node })
    } catch (error) {
      // A folder that was removed after it was listed causes no error: the watch of its parent reports when it is created again.
      if (path === parent || statsOf(path) !== undefined)
        return `The folder ${path} cannot be watched (${systemErrorCode(error) ?? String(error)}).`
    }
    return undefined
  }
  function noteSibling(_: string, name: string | null): void {
    if (name === basename(folder)) noteEvent()
  }
  function end(path: string): void {
    watched.get(path)?.watcher.close()
    watched.delete(path)
  }
  return {
    noteRead: () => {
      seen = scan()
    },
    close: () => {
      cancel?.()
      for (const path of watched.keys()) end(path)
    },
  }
}

interface WatchedFolder {
  readonly watcher: FSWatcher
  /** Number of the inode. */
  readonly node: number | undefined
}

// A missing folder is not a problem, because the watch of its parent reports its creation.
function problemOf(folder: string, { unreadable }: FolderTree): string | undefined {
  const [first, ...others] = unreadable.filter(
    ({ code, path }) => code !== 'ENOENT' && (path !== folder || code !== 'ENOTDIR'),
  )
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` ${others.length} more cannot be read either.`
  return `The folder ${first.path} cannot be read (${first.code}).${more}`
}

/** Names, sizes and times of all files. Reading their contents would take long for large files. */
function fingerprintOf(files: readonly string[], ignored: readonly string[]): string {
  return files
    .filter((path) => !ignored.some((one) => path === one || path.startsWith(one + sep)))
    .map((path) => {
      const stats = statsOf(path)
      return `${path} ${stats?.size} ${stats?.mtimeMs} ${stats?.ino}`
    })
    .toSorted()
    .join('\n')
}

/** Returns `undefined` for a path that does not exist or that this process may not access. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}
