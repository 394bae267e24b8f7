// Saves and restores the state of the whole platform: the engine's cluster, the platform's records, blobs and time. Identifiers
// are included when they are repeatable. The caller must make sure that no request is running (traffic-gate.ts).
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type IdSource, SeededIdSource } from '../../core/id-source.ts'
import { isJsonObject, parseJson } from '../../core/json.ts'
import { placeInside, storedPlace } from '../../core/plain-paths.ts'
import type { PlatformClock, PlatformTime } from '../../core/platform-clock.ts'
import type { EngineAfterRestore, EngineStates, RestoreMark } from '../../database/engine-states.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { BlobStore } from '../../services/storage/blobs/blob-store.ts'
import type { KeptBlobs } from '../../services/storage/blobs/kept-blobs.ts'
import type { Resumables } from '../../services/storage/resumable/resumables.ts'
import { type StateFolder, stateFolder } from './snapshot-folder.ts'

/** Files of buckets, and files of unfinished uploads. */
export interface StateBlobs {
  /** The blobs that records refer to. */
  blobIds(): ReadonlySet<string>
  readonly blobs: Pick<BlobStore, 'remove'>
  readonly kept: KeptBlobs
  readonly uploads: Pick<Resumables, 'forget'>
}

export interface PlatformStatesDeps {
  /** Folder of the note that names the state being restored. */
  readonly root: string
  readonly mark: RestoreMark
  readonly baseline: StateFolder
  readonly engine: EngineStates
  readonly db: SystemDb
  readonly storage: StateBlobs
  readonly clock: PlatformClock
  readonly ids: IdSource
  /** Called after records and engine were replaced, because all caches are invalid then. */
  readonly onReplaced: () => void
}

export interface PlatformStates {
  /** Saves the current state. Returns the number of bytes that the state takes outside the folder. */
  save(folder: StateFolder): Promise<number>
  load(folder: StateFolder, time: PlatformTime): Promise<EngineAfterRestore>
  /** Makes the current state the baseline. */
  setBaseline(): Promise<void>
  goBack(): Promise<EngineAfterRestore>
  /** Frees what the engine keeps for all other saved states. */
  retain(folders: readonly StateFolder[]): Promise<void>
}

interface Baseline {
  readonly time: PlatformTime
  readonly position: number | undefined
}

const MARKER = 'restoring.json'
const BASELINES = 'baselines'

/** Creates the platform's states. The current state becomes the baseline. */
export function openPlatformStates(deps: PlatformStatesDeps): PlatformStates {
  const { root, mark, engine, db, storage, clock, ids, baseline: folder } = deps
  let baseline = keepBaseline()

  function keepBaseline(): Baseline {
    mkdirSync(folder.path, { recursive: true, mode: 0o700 })
    db.saveTo(folder.database)
    storage.kept.keepRemoved(folder.blobs, storage.blobIds())
    return {
      time: clock.time,
      position: ids instanceof SeededIdSource ? ids.position : undefined,
    }
  }

  // The restore takes effect when the engine's step has completed. When the process is killed earlier, nothing has changed.
  // When the process is killed later, the next start finishes the restore.
  async function bringBack(
    from: StateFolder,
    loadEngine: () => Promise<EngineAfterRestore>,
    time: PlatformTime,
  ): Promise<EngineAfterRestore> {
    const before = storage.blobIds()
    writeNote(root, from.path)
    mark.clear()
    const way = await loadEngine()
    db.loadFrom(from.database)
    const needed = storage.blobIds()
    storage.kept.putBack(from.blobs, needed)
    storage.uploads.forget()
    deps.onReplaced()
    clock.put(time)
    rmSync(join(root, MARKER), { force: true })
    mark.clear()
    for (const id of before) if (!needed.has(id)) await storage.blobs.remove(id)
    return way
  }

  return {
    save: async (into) => {
      const bytesOutside = await engine.save(into.postgres)
      db.saveTo(into.database)
      storage.kept.copyTo(into.blobs, storage.blobIds())
      return bytesOutside
    },
    load: (from, time) => bringBack(from, () => engine.load(from.postgres), time),
    setBaseline: async () => {
      await engine.setBaseline()
      baseline = keepBaseline()
    },
    goBack: async () => {
      const { time, position } = baseline
      const way = await bringBack(folder, () => engine.restoreBaseline(), time)
      if (ids instanceof SeededIdSource && position !== undefined) ids.position = position
      return way
    },
    retain: (folders) => engine.retain(folders.map(({ postgres }) => postgres)),
  }
}

/** Folder of this process's baseline. The engine's files are in its subfolder `postgres`. */
export function baselineFolder(root: string, wallMillis: number): StateFolder {
  return stateFolder(join(root, BASELINES, `${process.pid}-${wallMillis}`))
}

function writeNote(root: string, from: string): void {
  const draft = join(root, `${MARKER}.draft`)
  writeFileSync(draft, JSON.stringify({ from: storedPlace(root, from) }))
  renameSync(draft, join(root, MARKER))
}

/** @throws {UnsafePathError} when the note names a folder outside the data directory */
function readNote(root: string): string {
  const file = join(root, MARKER)
  const note = parseJson(readFileSync(file, 'utf8'))
  if (!isJsonObject(note) || typeof note['from'] !== 'string')
    throw new TypeError(`${file} is damaged`)
  return placeInside(root, note['from'])
}

/** The remaining steps of a restore that a killed process began. */
export interface Interrupted {
  /** Call this function before the platform's records are opened. */
  replaceRecords(file: string): void
  /** Call this function when the engine and the folder of blobs are open. */
  finish(storage: Pick<StateBlobs, 'blobIds' | 'kept'>): void
}

/** When no restore was interrupted, returns `undefined` and removes baselines of earlier processes. */
export function findInterrupted(root: string, mark: RestoreMark): Interrupted | undefined {
  const marker = join(root, MARKER)
  const baselines = join(root, BASELINES)
  if (!(existsSync(marker) && mark.isSet())) {
    rmSync(marker, { force: true })
    rmSync(baselines, { recursive: true, force: true })
    return undefined
  }
  const folder = stateFolder(readNote(root))
  return {
    replaceRecords: (file) => {
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      copyFileSync(folder.database, file)
    },
    finish: (storage) => {
      storage.kept.putBack(folder.blobs, storage.blobIds())
      rmSync(marker)
      mark.clear()
      if (dirname(folder.path) === baselines) rmSync(folder.path, { recursive: true, force: true })
    },
  }
}
