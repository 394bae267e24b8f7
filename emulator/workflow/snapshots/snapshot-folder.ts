// Folders of snapshots. Each snapshot is written under a temporary name and then renamed, so that it is complete or absent.

import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SystemIdSource } from '../../core/id-source.ts'
import { isPlainName, plainPath } from '../../core/plain-paths.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { parseSnapshotRecord, type SnapshotRecord } from './snapshot-record.ts'

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
  /** @throws {InspectorError} `conflict` when no emulator with this data directory saved the folder */
  find(name: string): { readonly record: SnapshotRecord; readonly folder: StateFolder } | undefined
  /** Returns the folders of all snapshots. */
  folders(): readonly StateFolder[]
  /** Calls `fill` to write a new folder, then gives the folder the snapshot's name. Replaces a snapshot of the same name. */
  add(fill: (folder: StateFolder) => Promise<SnapshotRecord>): Promise<SnapshotRecord>
  /** Creates an empty folder that is not a snapshot. When the folder is left over, the next start removes it. */
  addPassing(): PassingFolder
  /** Works like `addPassing`, for a state that may be loaded again after a failure. */
  addWayBack(): PassingFolder
  /** Returns whether the snapshot existed. */
  remove(name: string): boolean
}

const RECORD = 'snapshot.json'
const PASSING = '.'
/** A state can only be loaded from a folder with a plain name (core/plain-paths.ts). No snapshot can have such a long name. */
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

/** Opens the folder and removes leftovers of a killed process. @param root folder in the data directory, which must exist */
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

// Marks the snapshots of a data directory as its own, because restoring a snapshot runs its database, and a foreign folder could
// contain any code. A seal is a code over the snapshot's record, made with a secret of the data directory (HMAC with SHA-256,
// RFC 2104).
const KEY_FILE = 'snapshot-key'
const SEAL = 'snapshot.seal'
const KEY_BYTES = 32

interface SnapshotSeals {
  /** Marks the folder as a snapshot of the data directory. @param record text of the snapshot's record */
  seal(folder: string, record: string): void
  isSealed(folder: string, record: string): boolean
}

/**
 * Reads or creates the secret.
 * @param dataDir the data directory, which must exist
 * @param earlier lists the snapshots of a release without seals, with the texts of their records. Called once, when the
 * directory has no secret yet
 */
function openSnapshotSeals(
  dataDir: string,
  earlier: () => readonly { readonly folder: string; readonly record: string }[],
): SnapshotSeals {
  const path = join(dataDir, KEY_FILE)
  const kept = readKey(path)
  const key = kept ?? new SystemIdSource().bytes(KEY_BYTES)
  const codeOf = (record: string): Buffer => createHmac('sha256', key).update(record).digest()
  const seals: SnapshotSeals = {
    seal: (folder, record) => {
      writeFileSync(join(folder, SEAL), codeOf(record).toString('hex'), { mode: 0o600 })
    },
    isSealed: (folder, record) => {
      const file = join(folder, SEAL)
      if (!isRealFolder(folder) || !existsSync(file)) return false
      const given = Buffer.from(readFileSync(file, 'utf8'), 'hex')
      const own = codeOf(record)
      return given.length === own.length && timingSafeEqual(given, own)
    },
  }
  if (kept !== undefined) return seals
  // Writes the secret last. If the process is killed before that, the next start marks the snapshots again.
  for (const { folder, record } of earlier()) seals.seal(folder, record)
  writeFileSync(`${path}.draft`, Buffer.from(key).toString('hex'), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
  return seals
}

function readKey(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  return key.length === KEY_BYTES ? key : undefined
}

// Refuses a link, because another program could change the snapshot in the folder that the link leads to.
function isRealFolder(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}
