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
import { dirname, join } from 'node:path'
import { isPlainName, plainPath } from '../../core/plain-paths.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { parseSnapshotRecord, type SnapshotRecord } from './snapshot-record.ts'
import { openSnapshotSeals } from './snapshot-seal.ts'

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
  /** @throws {InspectorError} `conflict` when the folder was not saved by an emulator of this data directory */
  find(name: string): { readonly record: SnapshotRecord; readonly folder: StateFolder } | undefined
  /** Returns the folders of all snapshots. */
  folders(): readonly StateFolder[]
  /** Lets `fill` write a new folder, then gives it the snapshot's name. Replaces a snapshot of the same name. */
  add(fill: (folder: StateFolder) => Promise<SnapshotRecord>): Promise<SnapshotRecord>
  /** Creates an empty folder that is no snapshot. The next start removes it if it is left. */
  addPassing(): PassingFolder
  /** As `addPassing`, for a state that is perhaps loaded. */
  addWayBack(): PassingFolder
  /** Returns whether the snapshot existed. */
  remove(name: string): boolean
}

const RECORD = 'snapshot.json'
const PASSING = '.'
/** A state is loaded from a plain name (core/plain-paths.ts). No snapshot has such a long name. */
const WAY_BACK = 'way-back'.padEnd(70, '-')
const REPLACED = '.replaced-'

export interface PassingFolder {
  readonly folder: StateFolder
  remove(): void
}

interface Found {
  readonly record: SnapshotRecord
  readonly isOwn: boolean
}

/**
 * Opens the folder and removes what a killed process left.
 * @param root in the data directory, which exists
 */
export function openSnapshotFolder(root: string): SnapshotFolder {
  let passing = 0
  sweep(root)
  const seals = openSnapshotSeals(dirname(root), () =>
    namesIn(root).flatMap((name) => {
      const folder = join(root, name)
      const record = textOf(folder)
      return record === undefined ? [] : [{ folder, record }]
    }),
  )

  function addFolder(prefix: string): PassingFolder {
    passing += 1
    const path = join(root, `${prefix}${passing}`)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return {
      folder: stateFolder(path),
      remove: () => rmSync(path, { recursive: true, force: true }),
    }
  }
  function look(name: string): Found | undefined {
    const folder = isPlainName(name) ? plainPath(root, name) : undefined
    const text = folder && textOf(folder)
    const record = text === undefined ? undefined : parseSnapshotRecord(text)
    if (folder === undefined || text === undefined || record === undefined) return undefined
    return { record: { ...record, name }, isOwn: seals.isSealed(folder, text) }
  }
  const own = (): readonly SnapshotRecord[] =>
    namesIn(root).flatMap((name) => {
      const found = look(name)
      return found?.isOwn === true ? [found.record] : []
    })
  return {
    list: () => own().toSorted((one, other) => other.savedAt - one.savedAt),
    folders: () => own().map(({ name }) => stateFolder(plainPath(root, name))),
    find: (name) => {
      const found = look(name)
      if (found?.isOwn === false) throw foreign(name, plainPath(root, name))
      return found && { record: found.record, folder: stateFolder(plainPath(root, name)) }
    },
    add: async (fill) => {
      const draft = join(root, '.saving')
      rmSync(draft, { recursive: true, force: true })
      mkdirSync(draft, { recursive: true, mode: 0o700 })
      try {
        const record = await fill(stateFolder(draft))
        const text = JSON.stringify(record)
        writeFileSync(join(draft, RECORD), text)
        seals.seal(draft, text)
        const path = plainPath(root, record.name)
        const replaced = join(root, `${REPLACED}${record.name}`)
        if (existsSync(path)) renameSync(path, replaced)
        renameSync(draft, path)
        rmSync(replaced, { recursive: true, force: true })
        return record
      } catch (error) {
        rmSync(draft, { recursive: true, force: true })
        throw error
      }
    },
    addPassing: () => addFolder(`${PASSING}aside-`),
    addWayBack: () => addFolder(WAY_BACK),
    remove: (name) => {
      if (look(name)?.isOwn !== true) return false
      const going = join(root, '.going')
      renameSync(plainPath(root, name), going)
      rmSync(going, { recursive: true, force: true })
      return true
    },
  }
}

function textOf(folder: string): string | undefined {
  const file = join(folder, RECORD)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function foreign(name: string, path: string): InspectorError {
  return new InspectorError(
    'conflict',
    `The snapshot ${name} was not saved by an emulator of this data directory.`,
    {
      hint: `Restoring it would run a database from elsewhere. Delete the folder ${path}, or ask for a bundle ("tenantry bundle"), which is safe to open. If you made the snapshot with an earlier release, stop the emulator and delete ${join(path, '..', '..', 'snapshot-key')}: the next start accepts all snapshots that are there.`,
    },
  )
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
    if (!(name.startsWith(PASSING) || name.startsWith(WAY_BACK))) continue
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
