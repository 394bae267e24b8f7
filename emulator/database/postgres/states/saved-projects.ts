// Opens saved states for reading. The first read of a project copies it again, under names that only this state uses.
import type { SchemaName } from '../../../core/names.ts'
import { type RetryableOnce, retryableOnce } from '../../../core/retryable-once.ts'
import { delegate, type Engine, SqlError } from '../../engine.ts'
import type { SavedState } from '../../engine-states.ts'
import { identifier, literal, sql } from '../../sql.ts'
import { databaseOf } from '../connections/logins.ts'
import {
  createRolesScript,
  databaseAccessScript,
  dropRolesScript,
  type LoginSource,
} from '../projects/project-roles.ts'
import type { CopiesByProject } from './kept-copy.ts'
import type { StateDatabases, StatesRoom } from './state-databases.ts'

export interface SavedProjectsDeps {
  readonly room: Pick<StatesRoom, 'server'>
  readonly databases: StateDatabases
  /** Opens an engine for databases and logins whose names have another prefix. */
  readonly engineWith: (prefix: string) => Engine
}

/** First letters of the prefixes. One saved state can be open for each letter. */
const LETTERS = ['r', 's', 'u', 'v'] as const

export class SavedProjects {
  readonly #deps: SavedProjectsDeps
  readonly #free: string[] = [...LETTERS]

  constructor(deps: SavedProjectsDeps) {
    this.#deps = deps
  }

  /** @throws {SqlError} 53300 when too many saved states are open */
  open(copies: CopiesByProject): SavedState {
    const letter = this.#free.shift()
    if (letter === undefined) throw new SqlError('53300', 'too many saved states are open')
    const prefix = this.#prefixOf(letter)
    const state = new OpenedState(this.#deps, prefix, copies)
    const close = async (): Promise<void> => {
      await state.close()
      this.#free.push(letter)
    }
    return { engine: state.engine, close }
  }

  /** Drops the databases of opened states that a killed process left behind. @throws {SqlError} */
  async dropLeft(): Promise<void> {
    for (const letter of LETTERS) {
      const prefix = this.#prefixOf(letter)
      const rows =
        await this.#deps.databases.query(sql`select datname::text as name from pg_catalog.pg_database
where pg_catalog.starts_with(datname, ${literal(`${prefix}proj_`)})`)
      for (const { name = '' } of rows)
        if (this.#free.includes(letter)) await this.#deps.databases.drop(name)
    }
  }

  // Replaces the first letter of a given server's prefix, because a longer prefix would make names too long. A native server has
  // no prefix.
  #prefixOf(letter: string): string {
    return letter + (this.#deps.room.server.prefix.slice(1) || '_')
  }
}

class OpenedState {
  readonly engine: Engine
  readonly #databases: StateDatabases
  readonly #names: LoginSource
  readonly #inner: Engine
  readonly #copies: CopiesByProject
  readonly #opened = new Map<SchemaName, RetryableOnce<void>>()

  constructor(
    { databases, engineWith, room }: SavedProjectsDeps,
    prefix: string,
    copies: CopiesByProject,
  ) {
    const inner = engineWith(prefix)
    this.#databases = databases
    this.#names = { ...room.server, prefix }
    this.#inner = inner
    this.#copies = copies
    this.engine = {
      ...delegate(inner),
      run: async (work) => {
        await this.#open(work.actor.schemaName)
        return await inner.run(work)
      },
      admin: async (where, work) => {
        if (where !== 'cluster') await this.#open(where)
        return await inner.admin(where, work)
      },
      connect: (login) => inner.connect(login),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#opened.values()].map((opening) => opening.get()))
    await this.#inner.close()
    for (const schemaName of this.#opened.keys()) await this.#drop(schemaName)
  }

  #open(schemaName: SchemaName): Promise<void> {
    const known = this.#opened.get(schemaName)
    if (known !== undefined) return known.get()
    const opening = retryableOnce(() => this.#make(schemaName))
    this.#opened.set(schemaName, opening)
    return opening.get()
  }

  async #make(schemaName: SchemaName): Promise<void> {
    const copy = this.#copies.get(schemaName)
    if (copy === undefined)
      throw new SqlError('3D000', `the saved state has no project "${schemaName}"`)
    await this.#drop(schemaName)
    await this.#databases.run(createRolesScript(this.#names, schemaName))
    const database = databaseOf(this.#names.prefix, schemaName)
    await this.#databases.copyTo(copy.database, database)
    await this.#databases.run([
      ...databaseAccessScript(this.#names, schemaName),
      sql`alter database ${identifier(database)} allow_connections true`,
    ])
  }

  async #drop(schemaName: SchemaName): Promise<void> {
    await this.#databases.drop(databaseOf(this.#names.prefix, schemaName))
    await this.#databases.run(dropRolesScript(this.#names, schemaName))
  }
}
