// Makes spares: second copies of a project's saved copy. Restoring the project renames a spare, so that the saved copy
// remains.
import type { KeptCopy } from './kept-copy.ts'
import type { StateDatabases } from './state-databases.ts'

export class Spares {
  readonly #databases: StateDatabases
  /** The spares, by the name of the saved copy. */
  readonly #ready = new Map<string, Promise<KeptCopy>>()
  readonly #names = new Set<string>()
  readonly #ordered = new Set<string>()

  constructor(databases: StateDatabases) {
    this.#databases = databases
  }

  /** Orders a spare of the copy. Returns true for a new order; the caller should then call `prepare` soon. */
  order({ database }: KeptCopy): boolean {
    if (this.#ready.has(database) || this.#ordered.has(database)) return false
    this.#ordered.add(database)
    return true
  }

  /** Makes a spare of the copy, unless one exists. @throws {SqlError} */
  async prepare(copy: KeptCopy): Promise<void> {
    this.#ordered.delete(copy.database)
    if (this.#ready.has(copy.database)) return
    const making = this.#make(copy)
    this.#ready.set(copy.database, making)
    try {
      await making
    } catch (error) {
      this.#ready.delete(copy.database)
      throw error
    }
  }

  /** Returns a database that equals the copy, which the caller may rename. @throws {SqlError} */
  async take(copy: KeptCopy): Promise<KeptCopy> {
    const ready = await this.#ready.get(copy.database)?.catch(() => undefined)
    if (ready === undefined) return await this.#make(copy)
    this.#ready.delete(copy.database)
    return ready
  }

  /** Whether the database is a spare, or a spare that is being renamed. */
  has(database: string): boolean {
    return this.#names.has(database)
  }

  /** Call this method after renaming a taken spare. */
  forget({ database }: KeptCopy): void {
    this.#names.delete(database)
  }

  /** Gives up the spares of unwanted copies, so that these spares can be dropped. */
  async keepOnly(isWanted: (database: string) => boolean): Promise<void> {
    for (const [database, making] of this.#ready) {
      if (isWanted(database)) continue
      this.#ready.delete(database)
      const spare = await making.catch(() => undefined)
      if (spare !== undefined) this.forget(spare)
    }
  }

  async #make(copy: KeptCopy): Promise<KeptCopy> {
    // A spare is named like a database that is going to be dropped, because no later process uses the spare.
    const database = this.#databases.nextAside()
    this.#names.add(database)
    try {
      const oid = await this.#databases.copyTo(copy.database, database)
      return { ...copy, database, oid }
    } catch (error) {
      this.#names.delete(database)
      throw error
    }
  }
}
