// Makes copies of projects, and remembers which copy a project equals until its next write.
import type { SchemaName } from '../../../core/names.ts'
import type { KeptCopy } from './kept-copy.ts'
import type { PresentProject, StateDatabases, StatesRoom } from './state-databases.ts'

interface Equality {
  readonly copy: KeptCopy
  /** The sessions of other programs until the copy was made. Any later session may have written to the project. */
  readonly strangers: PresentProject['strangers']
}

export class ProjectCopies {
  readonly #room: StatesRoom
  readonly #databases: StateDatabases
  readonly #equal = new Map<SchemaName, Equality>()
  /** The number of Tenantry's writes that run or wait. */
  readonly #writes = new Map<SchemaName, number>()

  constructor(room: StatesRoom, databases: StateDatabases) {
    this.#room = room
    this.#databases = databases
  }

  /** Call this method directly before a write. Returns the function to call at the end of the write. */
  beginWrite(schemaName: SchemaName): () => void {
    this.#equal.delete(schemaName)
    this.#writes.set(schemaName, 1 + (this.#writes.get(schemaName) ?? 0))
    return () => {
      const left = (this.#writes.get(schemaName) ?? 0) - 1
      if (left > 0) this.#writes.set(schemaName, left)
      else this.#writes.delete(schemaName)
    }
  }

  /** The copy that equals the project now. */
  equalTo({ schemaName, strangers }: PresentProject): KeptCopy | undefined {
    const known = this.#equal.get(schemaName)
    return known?.strangers === strangers ? known.copy : undefined
  }

  /** Records that the project's database was replaced by one that equals the copy, while no session was open. */
  noteReplaced(schemaName: SchemaName, copy: KeptCopy): void {
    this.#note(schemaName, copy, this.#databases.strangers(schemaName, 0))
  }

  /** Forgets copies that are going to be dropped. */
  forget(isDropped: (copy: KeptCopy) => boolean): void {
    for (const [schemaName, { copy }] of this.#equal)
      if (isDropped(copy)) this.#equal.delete(schemaName)
  }

  /** Copies the project's database. Work of the project waits meanwhile. @throws {SqlError} */
  async copy(schemaName: SchemaName): Promise<KeptCopy> {
    const release = await this.#room.evict(schemaName)
    try {
      const database = this.#databases.databaseOf(schemaName)
      const { sessions, ...copy } = await this.#databases.copy(database, schemaName)
      // Writes that wait for a connection run after the copy, so `#note` does not record the project as equal then.
      this.#note(schemaName, copy, this.#databases.strangers(schemaName, sessions))
      return copy
    } finally {
      release()
    }
  }

  #note(schemaName: SchemaName, copy: KeptCopy, strangers: Equality['strangers']): void {
    if (this.#writes.has(schemaName)) this.#equal.delete(schemaName)
    else this.#equal.set(schemaName, { copy, strangers })
  }
}
