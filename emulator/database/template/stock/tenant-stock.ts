// The stock of prepared clones. Provisioning renames a prepared clone instead of building a new one. The stock is refilled while
// the engine is idle. A prepared clone exists in the database but has no project record, so it appears in no list and counts for
// no quota.
import { createBackground } from '../../../core/background.ts'
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Observer } from '../../../core/observation.ts'
import type { Engine } from '../../engine.ts'
import type { Sql } from '../../sql.ts'
import type { Fidelity } from '../clone-schema.ts'
import type { SchemaStructure } from '../structure.ts'
import { IdleJobs } from './idle-jobs.ts'
import { keptTexts } from './kept-texts.ts'
import {
  buildPrepared,
  handOut,
  listPrepared,
  type PreparedDraft,
  preparedName,
} from './prepared-schemas.ts'

export interface TenantStockDeps {
  readonly engine: Engine
  readonly fidelity: Fidelity
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal
  /** Returns the same object until the schema changes. */
  readonly structureOf: (schemaName: SchemaName) => Promise<SchemaStructure>
}

interface PreparedClone extends PreparedDraft {
  /** See `keptTexts`. */
  readonly texts: readonly Sql[]
}

const CLONES_PER_TEMPLATE = 2
/** Number of templates, the most recently used ones, whose clones the stock prepares. */
const TEMPLATES = 2

export class TenantStock {
  readonly #deps: TenantStockDeps
  readonly #jobs: IdleJobs
  readonly #background: ReturnType<typeof createBackground>
  #ready: readonly PreparedClone[] = []
  /** The most recently used templates, newest first. */
  #templates: readonly SchemaName[] = []
  /** Clones to drop. */
  #unwanted: readonly SchemaName[] = []
  /** True while the database may contain clones that this object does not know. */
  #mayHaveUnknown = true
  /** Structures that `keptTexts` refuses. */
  readonly #unsuitable = new WeakSet<SchemaStructure>()
  /** Increases when the database was restored to another state. */
  #epoch = 0
  #isWorking = false
  #isWanted = false

  constructor(deps: TenantStockDeps) {
    this.#deps = deps
    this.#jobs = new IdleJobs(deps)
    this.#background = createBackground('prepare tenants', deps.observe)
    this.#wake()
  }

  /**
   * Turns a prepared clone of the template into `target`. Returns false when the stock has none of this structure.
   * @throws {SqlError} `target` may then exist in part
   */
  async provide(structure: SchemaStructure, target: SchemaName): Promise<boolean> {
    const { schemaName } = structure
    const others = this.#templates.filter((template) => template !== schemaName)
    this.#templates = [schemaName, ...others].slice(0, TEMPLATES)
    const taken = this.#ready.find((clone) => clone.structure === structure)
    this.#ready = this.#ready.filter((clone) => clone !== taken)
    try {
      if (taken !== undefined) await handOut(this.#deps.engine, taken, taken.texts, target)
    } catch (error) {
      this.#mayHaveUnknown = true
      throw error
    } finally {
      this.#wake()
    }
    return taken !== undefined
  }

  /** Call this method when the template's structure has changed. The stock replaces the template's clones. */
  onChange(template: SchemaName): void {
    if (this.#templates.includes(template)) this.#wake()
  }

  /** Call this method when the template is offline. The stock drops the template's clones. */
  onOffline(template: SchemaName): void {
    if (!this.#templates.includes(template)) return
    this.#templates = this.#templates.filter((other) => other !== template)
    this.#wake()
  }

  /** Call this method when the database was restored to another state. The stock drops the prepared clones of that state. */
  onStateReplaced(): void {
    this.#epoch += 1
    this.#ready = []
    this.#templates = []
    this.#unwanted = []
    this.#mayHaveUnknown = true
    this.#wake()
  }

  #wake(): void {
    this.#isWanted = true
    if (this.#isWorking) return
    this.#isWorking = true
    void this.#background.runAsync(() => this.#work())
  }

  async #work(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        await this.#step()
      }
    } finally {
      this.#isWorking = false
    }
  }

  // After a failure, the stock tries again only at its next use, so that a lasting failure costs nothing. A step that fails
  // because the database was replaced is not a failure.
  async #step(): Promise<void> {
    const epoch = this.#epoch
    try {
      await this.#tidy()
      const draft = await this.#missing()
      if (draft === undefined) return
      await buildPrepared(this.#deps.engine, this.#jobs, draft)
      if (epoch === this.#epoch) this.#ready = [...this.#ready, draft]
      this.#isWanted = true
    } catch (error) {
      if (this.#deps.closing.aborted || epoch !== this.#epoch) return
      this.#templates = []
      this.#mayHaveUnknown = true
      throw error
    }
  }

  async #tidy(): Promise<void> {
    const { engine } = this.#deps
    if (this.#mayHaveUnknown) {
      this.#mayHaveUnknown = false
      const found = await this.#jobs.run(() => listPrepared(engine))
      const known = new Set(this.#ready.map(({ clone }) => clone))
      this.#unwanted = found.filter((clone) => !known.has(clone))
    }
    for (let [clone] = this.#unwanted; clone !== undefined; [clone] = this.#unwanted) {
      await engine.projects.drop(clone, (part) => this.#jobs.run(part))
      this.#unwanted = this.#unwanted.filter((other) => other !== clone)
    }
  }

  /** Returns the clone to build next. Clones of any structure but the present ones of the templates become unwanted. */
  async #missing(): Promise<PreparedClone | undefined> {
    const structures: SchemaStructure[] = []
    for (const template of this.#templates)
      structures.push(await this.#jobs.run(() => this.#deps.structureOf(template)))
    const isPresent = ({ structure }: PreparedClone) => structures.includes(structure)
    const stale = this.#ready.filter((clone) => !isPresent(clone))
    this.#ready = this.#ready.filter(isPresent)
    this.#unwanted = [...this.#unwanted, ...stale.map(({ clone }) => clone)]
    this.#isWanted ||= stale.length > 0
    for (const structure of structures) {
      const count = this.#ready.filter((clone) => clone.structure === structure).length
      const draft = count < CLONES_PER_TEMPLATE ? this.#draftOf(structure) : undefined
      if (draft !== undefined) return draft
    }
    return undefined
  }

  #draftOf(structure: SchemaStructure): PreparedClone | undefined {
    if (this.#unsuitable.has(structure)) return undefined
    const { fidelity, ids } = this.#deps
    const clone = preparedName(ids.uuid())
    const texts = keptTexts(structure, clone, fidelity)
    if (texts !== undefined) return { clone, structure, fidelity, texts }
    this.#unsuitable.add(structure)
    return undefined
  }
}
