// The state of the whole platform as one thing: the engine's cluster, the platform's records, blobs, time and, where they
// are repeatable, identifiers. Saving and bringing back; callers see to it that no request is under way (traffic-gate.ts).
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
import type { PlatformClock, PlatformTime } from '../../core/platform-clock.ts'
import { SqlError } from '../../database/engine.ts'
import type { EngineStates, Way } from '../../database/engine-states.ts'
import type { SystemDb } from '../../database/system-db.ts'
import type { StorageStores } from '../open-storage.ts'
import { type StateFolder, stateFolder } from './snapshot-folder.ts'

export interface PlatformStatesDeps {
  /** Folder for snapshots, the baseline and the note of what is being brought back. */
  readonly root: string
  readonly engine: EngineStates
  readonly db: SystemDb
  readonly storage: Pick<StorageStores, 'blobIds' | 'blobs' | 'kept' | 'uploads'>
  readonly clock: PlatformClock
  readonly ids: IdSource
  /** Called when the records and the engine are others: everything that was remembered is void. */
  readonly onReplaced: () => void
}

export interface PlatformStates {
  /** Writes the present state down. */
  save(folder: StateFolder): Promise<void>
  load(folder: StateFolder, time: PlatformTime): Promise<Way>
  /** Makes the present state the baseline. */
  setBaseline(): Promise<void>
  goBack(): Promise<Way>
}

interface Baseline {
  readonly time: PlatformTime
  readonly position: number | undefined
}

const ENGINE_GONE = '57P02'
const MARKER = 'restoring.json'

/** Opens with the state that was found as the baseline. */
export function openPlatformStates(deps: PlatformStatesDeps): PlatformStates {
  const { root, engine, db, storage, clock, ids } = deps
  const folder = baselineFolder(root)
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

  // Once the note is written there is no way but forward: the next start would go on.
  async function bringBack(
    from: StateFolder,
    loadEngine: () => Promise<Way>,
    time: PlatformTime,
  ): Promise<Way> {
    const before = storage.blobIds()
    writeNote(root, from.path)
    const way = await loadEngine().catch((error: unknown) => {
      // Refused: everything is as it was.
      if (!(error instanceof SqlError) || error.code !== ENGINE_GONE) rmSync(join(root, MARKER))
      throw error
    })
    db.loadFrom(from.database)
    const needed = storage.blobIds()
    storage.kept.putBack(from.blobs, needed)
    storage.uploads.forget()
    deps.onReplaced()
    clock.put(time)
    rmSync(join(root, MARKER), { force: true })
    for (const id of before) if (!needed.has(id)) await storage.blobs.remove(id)
    return way
  }

  return {
    save: async (into) => {
      await engine.save(into.postgres)
      db.saveTo(into.database)
      storage.kept.copyTo(into.blobs, storage.blobIds())
    },
    load: (from, time) => bringBack(from, () => engine.load(from.postgres), time),
    setBaseline: async () => {
      await engine.begin()
      baseline = keepBaseline()
    },
    goBack: async () => {
      const { time, position } = baseline
      const way = await bringBack(folder, () => engine.goBack(), time)
      if (ids instanceof SeededIdSource && position !== undefined) ids.position = position
      return way
    },
  }
}

/** Where the baseline is; the engine keeps its files in `postgres`. */
export function baselineFolder(root: string): StateFolder {
  return stateFolder(join(root, 'baseline'))
}

function writeNote(root: string, from: string): void {
  const draft = join(root, `${MARKER}.draft`)
  writeFileSync(draft, JSON.stringify({ from }))
  renameSync(draft, join(root, MARKER))
}

function readNote(file: string): string {
  const note = parseJson(readFileSync(file, 'utf8'))
  if (!isJsonObject(note) || typeof note['from'] !== 'string')
    throw new TypeError(`${file} is damaged`)
  return note['from']
}

/** What a killed process was bringing back. */
export interface Interrupted {
  /** To be called before the platform's records are opened. */
  replaceRecords(file: string): void
  /** To be called once the engine is open, and the blobs' folder is there. */
  finish(engine: EngineStates, storage: Pick<StorageStores, 'blobIds' | 'kept'>): Promise<void>
}

/** Gives `undefined` when nothing was under way. Puts the baseline aside, where it is what was to come. */
export function findInterrupted(root: string): Interrupted | undefined {
  const marker = join(root, MARKER)
  const baseline = baselineFolder(root).path
  const aside = join(root, 'baseline-interrupted')
  if (!existsSync(marker)) {
    rmSync(aside, { recursive: true, force: true })
    return undefined
  }
  let from = readNote(marker)
  if (from === baseline) {
    if (existsSync(baseline) && !existsSync(aside)) renameSync(baseline, aside)
    from = aside
  }
  const folder = stateFolder(from)
  return {
    replaceRecords: (file) => {
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      copyFileSync(folder.database, file)
    },
    finish: async (engine, storage) => {
      await engine.load(folder.postgres)
      storage.kept.putBack(folder.blobs, storage.blobIds())
      rmSync(marker)
      rmSync(aside, { recursive: true, force: true })
    },
  }
}
