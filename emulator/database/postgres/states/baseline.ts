// The baseline of a server: for each project a copy, or the project itself as long as it has not changed. A project is copied
// before its first write after the baseline was set, and ahead of that in the background.
import type { SchemaName } from '../../../core/names.ts'
import { inLanes } from './in-lanes.ts'
import type { KeptCopy } from './kept-copy.ts'
import type { ProjectCopies } from './project-copies.ts'
import type { PresentProject } from './state-databases.ts'

/** The project has not been written since the baseline was set, and was not copied. */
export const UNCHANGED = 'unchanged'

export type BaselineEntry = KeptCopy | typeof UNCHANGED

/** Copies made at once. More would leave too little processor time for requests. */
const LANES = 3

export class Baseline {
  readonly #copies: ProjectCopies
  #entries = new Map<SchemaName, BaselineEntry>()
  readonly #copying = new Map<SchemaName, Promise<void>>()

  constructor(copies: ProjectCopies) {
    this.#copies = copies
  }

  get entries(): ReadonlyMap<SchemaName, BaselineEntry> {
    return this.#entries
  }

  /** The projects that were not copied yet. */
  get unchanged(): readonly SchemaName[] {
    return [...this.#entries].flatMap(([name, entry]) => (entry === UNCHANGED ? [name] : []))
  }

  /** Makes the present projects the baseline. */
  set(projects: Iterable<PresentProject>): void {
    this.#entries = new Map(
      [...projects].map((project) => [
        project.schemaName,
        this.#copies.equalTo(project) ?? UNCHANGED,
      ]),
    )
  }

  /** Replaces the baseline's entry of one project. */
  put(schemaName: SchemaName, entry: BaselineEntry): void {
    this.#entries.set(schemaName, entry)
  }

  has(copy: Pick<KeptCopy, 'database'>): boolean {
    for (const entry of this.#entries.values())
      if (entry !== UNCHANGED && entry.database === copy.database) return true
    return false
  }

  /** Returns `undefined` when the project may be written now. Otherwise wait for the promise, and call this method again. */
  beforeWrite(schemaName: SchemaName): Promise<void> | undefined {
    return this.#entries.get(schemaName) === UNCHANGED ? this.copy(schemaName) : undefined
  }

  /** Copies the project, if the baseline has no copy of it yet. @throws {SqlError} */
  copy(schemaName: SchemaName): Promise<void> {
    if (this.#entries.get(schemaName) !== UNCHANGED) return Promise.resolve()
    const known = this.#copying.get(schemaName)
    if (known !== undefined) return known
    const copying = this.#copies
      .copy(schemaName)
      .then((copy) => {
        // The copy is also correct for a baseline that was set meanwhile, because writes to the project wait for the copy.
        if (this.#entries.get(schemaName) === UNCHANGED) this.#entries.set(schemaName, copy)
      })
      .finally(() => this.#copying.delete(schemaName))
    this.#copying.set(schemaName, copying)
    return copying
  }

  /** Copies all projects that were not copied yet. @throws {SqlError} */
  async copyAll(isWanted: () => boolean = () => true): Promise<void> {
    await inLanes(LANES, this.unchanged, async (schemaName) => {
      if (isWanted()) await this.copy(schemaName)
    })
  }

  /** Waits until no copy is being made. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#copying.values())
  }
}
