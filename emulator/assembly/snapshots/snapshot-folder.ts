// Folders of snapshots. Each snapshot is written under a temporary name and then renamed, so that it is complete or absent.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FaultOrder } from '../../contract/faults.ts'
import { isJsonObject, parseJson } from '../../core/json.ts'
import type { PlatformTime } from '../../core/platform-clock.ts'
import type { EpochMillis } from '../../core/time.ts'

/** Facts of a snapshot that are recorded beside its files. */
export interface SnapshotRecord {
  readonly name: string
  readonly note: string | null
  /** Wall time. */
  readonly savedAt: EpochMillis
  readonly platformTime: EpochMillis
  readonly time: PlatformTime
  /** Faults that were armed when the snapshot was saved, oldest first. */
  readonly faults: readonly FaultOrder[]
  readonly sizeBytes: number
  readonly tenants: number
}

/** Paths of the parts of a saved state. */
export interface StateFolder {
  readonly path: string
  readonly postgres: string
  readonly database: string
  readonly blobs: string
}

export interface SnapshotFolder {
  /** Newest first. */
  list(): readonly SnapshotRecord[]
  find(name: string): { readonly record: SnapshotRecord; readonly folder: StateFolder } | undefined
  /** Returns the folders of all snapshots. */
  folders(): readonly StateFolder[]
  /** Lets `fill` write a new folder, then gives it the snapshot's name. Replaces a snapshot of the same name. */
  add(fill: (folder: StateFolder) => Promise<SnapshotRecord>): Promise<SnapshotRecord>
  /** Creates an empty folder that is no snapshot. The next start removes it if it is left. */
  addPassing(): { readonly folder: StateFolder; remove(): void }
  /** Returns whether the snapshot existed. */
  remove(name: string): boolean
}

const RECORD = 'snapshot.json'
const PASSING = '.'
const REPLACED = '.replaced-'

/** Opens the folder and removes what a killed process left. */
export function openSnapshotFolder(root: string): SnapshotFolder {
  const pathOf = (name: string): string => join(root, name)
  let passing = 0
  sweep(root)

  function read(name: string): SnapshotRecord | undefined {
    const file = join(pathOf(name), RECORD)
    if (name.startsWith(PASSING) || !existsSync(file)) return undefined
    const record = parseJson(readFileSync(file, 'utf8'))
    // Trusted: only `add` writes this file.
    return isJsonObject(record) ? (record as unknown as SnapshotRecord) : undefined
  }
  return {
    list: () =>
      namesIn(root)
        .map(read)
        .filter((record) => record !== undefined)
        .toSorted((one, other) => other.savedAt - one.savedAt),
    folders: () =>
      namesIn(root)
        .filter((name) => read(name) !== undefined)
        .map((name) => stateFolder(pathOf(name))),
    find: (name) => {
      const record = read(name)
      return record && { record, folder: stateFolder(pathOf(name)) }
    },
    add: async (fill) => {
      const draft = pathOf('.saving')
      rmSync(draft, { recursive: true, force: true })
      mkdirSync(draft, { recursive: true, mode: 0o700 })
      try {
        const record = await fill(stateFolder(draft))
        writeFileSync(join(draft, RECORD), JSON.stringify(record))
        const replaced = pathOf(`${REPLACED}${record.name}`)
        if (existsSync(pathOf(record.name))) renameSync(pathOf(record.name), replaced)
        renameSync(draft, pathOf(record.name))
        rmSync(replaced, { recursive: true, force: true })
        return record
      } catch (error) {
        rmSync(draft, { recursive: true, force: true })
        throw error
      }
    },
    addPassing: () => {
      passing += 1
      const path = pathOf(`${PASSING}aside-${passing}`)
      mkdirSync(path, { recursive: true, mode: 0o700 })
      return {
        folder: stateFolder(path),
        remove: () => rmSync(path, { recursive: true, force: true }),
      }
    },
    remove: (name) => {
      if (read(name) === undefined) return false
      const going = pathOf('.going')
      renameSync(pathOf(name), going)
      rmSync(going, { recursive: true, force: true })
      return true
    },
  }
}

export function stateFolder(path: string): StateFolder {
  return {
    path,
    postgres: join(path, 'postgres'),
    database: join(path, 'platform.db'),
    blobs: join(path, 'blobs'),
  }
}

// Restores a snapshot that was being replaced, unless the replacement is complete.
function sweep(root: string): void {
  for (const name of namesIn(root)) {
    if (!name.startsWith(PASSING)) continue
    const original = join(root, name.slice(REPLACED.length))
    if (name.startsWith(REPLACED) && !existsSync(original)) renameSync(join(root, name), original)
    else rmSync(join(root, name), { recursive: true, force: true })
  }
}

function namesIn(root: string): readonly string[] {
  return existsSync(root) ? readdirSync(root) : []
}

/** Counts the bytes of all files below `folder`, including blobs that are hard links to files elsewhere. */
export function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  return bytes
}
