// States of a server: copies of the projects' databases. Restoring a state replaces only the projects that differ from it.
import type { Background } from '../../../core/background.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { EngineAfterRestore, SavedState } from '../../engine-states.ts'
import { Baseline, type BaselineEntry, UNCHANGED } from './baseline.ts'
import { inLanes } from './in-lanes.ts'
import { readCopies, writeCopies } from './kept-copy.ts'
import { dropParkedRoles, parkRoles } from './kept-roles.ts'
import { ProjectCopies } from './project-copies.ts'
import {
  finishRestore,
  type RestoreDeps,
  type RestoreOptions,
  reopenClosed,
  requireCopies,
  restoreState,
} from './restore.ts'
import { SavedProjects, type SavedProjectsDeps } from './saved-projects.ts'
import { Spares } from './spares.ts'
import { StateDatabases } from './state-databases.ts'

export interface ServerStatesOptions
  extends Pick<RestoreDeps, 'folder' | 'room' | 'untilBack'>,
    Pick<SavedProjectsDeps, 'engineWith'> {
  /** Updates the server and its projects to the present release. */
  readonly renew: () => Promise<void>
  readonly background: Background
}

/** Setting a baseline waits for the copies of at most this number of projects. */
const AWAITED_COPIES = 24
/**
 * In the background, copies are made before they are needed, for at most this number of projects.
 */
const COPIES_AHEAD = 50
const LANES = 4

/** Completes an interrupted restore and renews the server. The present state becomes the baseline. @throws {SqlError} */
export async function openServerStates(options: ServerStatesOptions): Promise<ServerStates> {
  const states = new ServerStates(options)
  await states.open()
  return states
}

export class ServerStates {
  readonly #options: ServerStatesOptions
  readonly #databases: StateDatabases
  readonly #copies: ProjectCopies
  readonly #baseline: Baseline
  readonly #spares: Spares
  readonly #restoring: RestoreDeps
  readonly #savedProjects: SavedProjects
  /** The copies of saved states. Complete after `retain`. */
  #saved = new Set<string>()
  #isSavedComplete = false
  /** True after the first restore of the baseline. Users who restored the baseline once usually restore it again. */
  #preparesSpares = false
  #turns: Promise<unknown> = Promise.resolve()
  #chores: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(options: ServerStatesOptions) {
    const { room } = options
    this.#options = options
    this.#databases = new StateDatabases(room)
    this.#copies = new ProjectCopies(room, this.#databases)
    this.#baseline = new Baseline(this.#copies)
    this.#spares = new Spares(this.#databases)
    this.#restoring = {
      ...options,
      databases: this.#databases,
      copies: this.#copies,
      baseline: this.#baseline,
      spares: this.#spares,
    }
    this.#savedProjects = new SavedProjects({ ...options, databases: this.#databases })
  }

  async open(): Promise<void> {
    await finishRestore(this.#restoring)
    await reopenClosed(this.#restoring)
    await this.#options.renew()
    const { projects } = await this.#databases.list()
    this.#baseline.set(projects.values())
    this.#later(() => this.#copyAhead())
    this.#later(() => this.#dropAsides())
    this.#later(() => this.#savedProjects.dropLeft())
  }

  /** Returns `undefined` when the project may be written now. Otherwise wait for the promise, and call this method again. */
  beforeWrite(schemaName: SchemaName): Promise<void> | undefined {
    return this.#baseline.beforeWrite(schemaName)
  }

  /** Call this method directly before a write. Returns the function to call at the end of the write. */
  beginWrite(schemaName: SchemaName): () => void {
    if (this.#preparesSpares) this.#prepareSpare(schemaName)
    return this.#copies.beginWrite(schemaName)
  }

  /** Call this method when a project is gone. Copies can still use the project's roles. @throws {SqlError} */
  async parkRoles(schemaName: SchemaName): Promise<void> {
    if (this.#baseline.entries.has(schemaName) || this.#saved.size > 0)
      await parkRoles(this.#databases, this.#options.room.server.prefix, schemaName)
  }

  setBaseline(): Promise<void> {
    return this.#turn(async () => {
      await this.#baseline.settle()
      const { projects } = await this.#databases.list()
      this.#baseline.set(projects.values())
      if (this.#baseline.unchanged.length <= AWAITED_COPIES) await this.#baseline.copyAll()
      else this.#later(() => this.#copyAhead())
      this.#later(() => this.#dropUnused())
    })
  }

  async restoreBaseline(): Promise<EngineAfterRestore> {
    this.#preparesSpares = true
    return await this.#restore(this.#baseline.entries, { isBaseline: true })
  }

  async load(folder: string): Promise<EngineAfterRestore> {
    const copies = requireCopies(folder)
    for (const { database } of copies.values()) this.#saved.add(database)
    const way = await this.#restore(copies, { isBaseline: false })
    // An earlier release may have saved the state.
    await this.#options.renew()
    return way
  }

  save(folder: string): Promise<number> {
    return this.#turn(async () => {
      await this.#baseline.settle()
      const { projects } = await this.#databases.list()
      const kept = await inLanes(
        LANES,
        [...projects.values()],
        async (project) =>
          [
            project.schemaName,
            this.#copies.equalTo(project) ?? (await this.#copies.copy(project.schemaName)),
          ] as const,
      )
      writeCopies(folder, new Map(kept))
      const names = kept.map(([, { database }]) => database)
      for (const name of names) this.#saved.add(name)
      return await this.#databases.bytesOf(names)
    })
  }

  async openSaved(folder: string): Promise<SavedState> {
    return this.#savedProjects.open(requireCopies(folder))
  }

  retain(folders: readonly string[]): Promise<void> {
    const saved = folders.flatMap((folder) => [...(readCopies(folder)?.values() ?? [])])
    return this.#turn(async () => {
      this.#saved = new Set(saved.map(({ database }) => database))
      this.#isSavedComplete = true
      this.#later(() => this.#dropUnused())
    })
  }

  /** Drops all copies, and ends the work in the background. Nothing can be restored afterwards. @throws {SqlError} */
  async dropAll(): Promise<void> {
    await this.close()
    this.#baseline.set([])
    const { others } = await this.#databases.list()
    for (const database of others.keys()) await this.#databases.drop(database)
    await this.#dropParkedRoles()
  }

  /** Waits for the background work, and starts no more of it. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#turns
    await this.#chores
    await this.#baseline.settle()
  }

  #restore(
    state: ReadonlyMap<SchemaName, BaselineEntry>,
    options: RestoreOptions,
  ): Promise<EngineAfterRestore> {
    return this.#turn(async () => {
      const { replaced, way } = await restoreState(this.#restoring, state, options)
      // Prepares spares of the replaced projects, because users usually change the same projects again.
      if (options.isBaseline) for (const schemaName of replaced) this.#prepareSpare(schemaName)
      this.#later(() => this.#dropAsides())
      return way
    })
  }

  #prepareSpare(schemaName: SchemaName): void {
    const copy = this.#baseline.entries.get(schemaName)
    if (copy === undefined || copy === UNCHANGED || !this.#spares.order(copy)) return
    this.#later(() => this.#spares.prepare(copy))
  }

  #turn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turns.then(work)
    this.#turns = turn.catch(() => {})
    return turn
  }

  // Runs one chore after another, so that chores leave room for requests.
  #later(chore: () => Promise<void>): void {
    this.#chores = this.#chores.then(() =>
      this.#isClosing ? undefined : this.#options.background.runAsync(chore),
    )
  }

  async #copyAhead(): Promise<void> {
    for (const schemaName of this.#baseline.unchanged.slice(0, COPIES_AHEAD)) {
      if (this.#isClosing) return
      const inUse = await this.#databases.inUse()
      // Copying would end the sessions of other programs. Such a project is copied before Tenantry's next write instead.
      if (!inUse.has(this.#databases.databaseOf(schemaName))) await this.#baseline.copy(schemaName)
    }
  }

  async #dropAsides(): Promise<void> {
    const { others } = await this.#databases.list()
    for (const database of others.keys())
      if (!(this.#isClosing || this.#spares.has(database)) && this.#databases.isAside(database))
        await this.#databases.drop(database)
    await this.#dropParkedRoles()
  }

  #dropParkedRoles(): Promise<void> {
    return dropParkedRoles(this.#databases, this.#options.room.server.prefix)
  }

  async #dropUnused(): Promise<void> {
    for (const database of await this.#turn(() => this.#findUnused()))
      if (!this.#isClosing) await this.#databases.drop(database)
    await this.#dropParkedRoles()
  }

  // Call this method in a turn, so that no copy becomes part of a new state meanwhile.
  async #findUnused(): Promise<readonly string[]> {
    if (!this.#isSavedComplete) return []
    await this.#baseline.settle()
    await this.#spares.keepOnly((database) => this.#baseline.has({ database }))
    const { others } = await this.#databases.list()
    const isUsed = (database: string): boolean =>
      this.#saved.has(database) ||
      this.#databases.isAside(database) ||
      this.#baseline.has({ database })
    const unused = [...others.keys()].filter((database) => !isUsed(database))
    this.#copies.forget(({ database }) => unused.includes(database))
    return unused
  }
}
