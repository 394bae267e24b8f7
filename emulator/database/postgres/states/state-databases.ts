// The databases of projects and the copies of them, as the server lists them, and the statements that copy, replace and drop
// them.
import { type SchemaName, trusted } from '../../../core/names.ts'
import { type Engine, type PlatformScope, SqlError, textRows } from '../../engine.ts'
import { identifier, join, literal, type Sql, script, sql, verbatim } from '../../sql.ts'
import { databaseOf } from '../connections/logins.ts'
import type { RunningServer } from '../server/running-server.ts'
import { allowConnections, copyStatement, factsOfCopy, keptCopy } from './database-statements.ts'
import type { KeptCopy } from './kept-copy.ts'

/** The parts of the engine that states use. */
export interface StatesRoom extends Pick<Engine, 'admin'> {
  readonly server: Pick<RunningServer, 'facts' | 'prefix' | 'secret'>
  /** Ends the connections to a project's database, and opens no new ones until the returned function is called. */
  evict(project: PlatformScope): Promise<() => void>
  /** The number of sessions that Tenantry has opened in the project's database since the engine started. */
  sessionsOpened(project: SchemaName): number
}

/** The database of a project. */
export interface PresentProject {
  readonly schemaName: SchemaName
  readonly database: string
  readonly oid: string
  /** See `StateDatabases.strangers`. */
  readonly strangers: string
  readonly allowsConnections: boolean
  readonly comment: string
}

export interface Listed {
  readonly projects: ReadonlyMap<SchemaName, PresentProject>
  /** Copies and databases that were set aside, by name. */
  readonly others: ReadonlyMap<string, { readonly oid: string }>
}

/** Names of copies, and of databases that wait for being dropped. No project's name begins like these. */
const COPY = 'tenantry_copy_'
const ASIDE = 'tenantry_aside_'
const PROJECT = 'proj_'
const OWN_NAMES = [PROJECT, COPY, ASIDE] as const
/** `datconnlimit` of a database whose removal has begun (PostgreSQL source, pg_database.h, DATCONNLIMIT_INVALID_DB). */
const IS_BEING_DROPPED = verbatim('-2')
const IN_USE = '55006'
const COUNTING_SINCE = verbatim('(select stats_reset::text from pg_catalog.pg_stat_bgwriter)')
const ATTEMPTS = 3
/** Milliseconds that the server waits for the end of a session. */
const END_WITHIN_MILLIS = 2_000

export class StateDatabases {
  readonly #room: StatesRoom
  #number = 0
  /** The time since which the server counts sessions, as of the last query. A crash of the server resets its counters. */
  #countingSince = ''

  constructor(room: StatesRoom) {
    this.#room = room
  }

  /**
   * Lists the databases of projects and copies. Drops databases whose removal was interrupted, because they cannot be copied or
   * opened. @throws {SqlError}
   */
  async list(): Promise<Listed> {
    const { prefix } = this.#room.server
    const rows = await this.#query(databasesQuery(prefix))
    const projects = new Map<SchemaName, PresentProject>()
    const others = new Map<string, { readonly oid: string }>()
    for (const row of rows) {
      const { name: database = '', oid = '', allows, comment = '', sessions, since = '' } = row
      this.#countingSince = since
      const name = database.slice(prefix.length)
      if (row['half_dropped'] === 't') {
        if (OWN_NAMES.some((own) => name.startsWith(own))) await this.drop(database)
      } else if (name.startsWith(PROJECT)) {
        const schemaName = trusted.schemaName(name)
        const strangers = this.strangers(schemaName, Number(sessions))
        const allowsConnections = allows === 't'
        projects.set(schemaName, {
          schemaName,
          database,
          oid,
          strangers,
          allowsConnections,
          comment,
        })
      } else if (name.startsWith(COPY) || name.startsWith(ASIDE)) {
        others.set(database, { oid })
        this.#number = Math.max(this.#number, Number(name.replace(/^.*_/, '')))
      }
    }
    return { projects, others }
  }

  /**
   * Returns a text that changes when another program opens a session in the project's database. While the text stays the same and
   * Tenantry writes nothing, the project does not change. @param sessions number of all sessions that the database has had
   */
  strangers(schemaName: SchemaName, sessions: number): string {
    return `${sessions - this.#room.sessionsOpened(schemaName)} since ${this.#countingSince}`
  }

  /** A new name for a copy. `list` must have run before. */
  nextCopy(): string {
    return `${this.#room.server.prefix}${COPY}${++this.#number}`
  }

  /** A new name for a database that is going to be dropped. */
  nextAside(): string {
    return `${this.#room.server.prefix}${ASIDE}${++this.#number}`
  }

  isAside(database: string): boolean {
    return database.startsWith(`${this.#room.server.prefix}${ASIDE}`)
  }

  /**
   * Copies a database that Tenantry has no sessions in. Ends the sessions of other programs.
   * @param source name of the database
   * @throws {SqlError} 55006 when other programs open new sessions again and again
   */
  async copy(
    source: string,
    schemaName: SchemaName,
  ): Promise<KeptCopy & { readonly sessions: number }> {
    const database = this.nextCopy()
    for (let attempt = 1; ; attempt += 1) {
      const sessions = await this.#endSessions(source)
      try {
        await this.#run([copyStatement(source, database)])
      } catch (error) {
        if (attempt < ATTEMPTS && error instanceof SqlError && error.code === IN_USE) continue
        throw error
      }
      const [facts] = await this.#query(factsOfCopy(source, database, schemaName))
      return { ...keptCopy(database, facts), sessions }
    }
  }

  /** Copies a database in which no session can be. Returns the oid of the new database. @throws {SqlError} */
  async copyTo(source: string, database: string): Promise<string> {
    await this.#run([copyStatement(source, database)])
    const [made] = await this.#query(
      sql`select oid::text as oid from pg_catalog.pg_database where datname = ${literal(database)}`,
    )
    return made?.['oid'] ?? ''
  }

  /** The databases in which other programs have sessions. @throws {SqlError} */
  async inUse(): Promise<ReadonlySet<string>> {
    const rows = await this.#query(
      sql`select distinct datname::text as name from pg_catalog.pg_stat_activity where application_name <> 'tenantry'`,
    )
    return new Set(rows.map(({ name = '' }) => name))
  }

  /** Keeps new sessions away from the databases and ends the present ones. @throws {SqlError} */
  async close(databases: readonly string[]): Promise<void> {
    if (databases.length === 0) return
    await this.#run(databases.map((name) => allowConnections(name, false)))
    for (const database of databases) await this.#endSessions(database)
  }

  /** Lets sessions into the databases again. @throws {SqlError} */
  async reopen(databases: readonly string[]): Promise<void> {
    if (databases.length > 0) await this.#run(databases.map((name) => allowConnections(name, true)))
  }

  /** Drops a database. Safe to repeat. @throws {SqlError} */
  async drop(database: string): Promise<void> {
    await this.#run([sql`drop database if exists ${identifier(database)} with (force)`])
  }

  /** The bytes of databases together. @throws {SqlError} */
  async bytesOf(databases: readonly string[]): Promise<number> {
    if (databases.length === 0) return 0
    const names = join(databases.map((name) => literal(name)))
    const [sum] = await this.#query(
      sql`select sum(pg_catalog.pg_database_size(oid))::text as bytes from pg_catalog.pg_database where datname in (${names})`,
    )
    return Number(sum?.['bytes'] ?? 0)
  }

  /** Runs statements in one transaction. @throws {SqlError} */
  async run(statements: readonly Sql[]): Promise<void> {
    await this.#run(statements)
  }

  async query(statement: Sql): Promise<readonly Record<string, string | undefined>[]> {
    return await this.#query(statement)
  }

  databaseOf(schemaName: SchemaName): string {
    return databaseOf(this.#room.server.prefix, schemaName)
  }

  // Returns the number of sessions that the database has had. The server counts a session before it sends the session's first
  // reply.
  async #endSessions(database: string): Promise<number> {
    // Copying would wait for the server's own processes in the database. Only a superuser may end these processes.
    const maySignalAll = verbatim(String(this.#room.server.facts.isSuperuser))
    const [counted] = await this.#query(sql`select (
  select count(pg_catalog.pg_terminate_backend(pid, ${literal(String(END_WITHIN_MILLIS))}::bigint))
  from pg_catalog.pg_stat_activity where datname = ${literal(database)}
    and (backend_type = 'client backend' or ${maySignalAll})) as ended,
  (select coalesce(sum(sessions), 0) from pg_catalog.pg_stat_database where datname = ${literal(database)})::text as sessions,
  ${COUNTING_SINCE} as since`)
    this.#countingSince = counted?.['since'] ?? ''
    return Number(counted?.['sessions'] ?? 0)
  }

  async #run(statements: readonly Sql[]): Promise<void> {
    await this.#room.admin('cluster', script(statements))
  }

  async #query(statement: Sql): Promise<readonly Record<string, string | undefined>[]> {
    return textRows((await this.#room.admin('cluster', script([statement]))).at(-1))
  }
}

function databasesQuery(prefix: string): Sql {
  return sql`select database.datname::text as name, database.oid::text as oid,
  database.datallowconn as allows, database.datconnlimit = ${IS_BEING_DROPPED} as half_dropped,
  pg_catalog.shobj_description(database.oid, 'pg_database') as comment,
  coalesce(counters.sessions, 0)::text as sessions, ${COUNTING_SINCE} as since
from pg_catalog.pg_database as database
left join pg_catalog.pg_stat_database as counters on counters.datid = database.oid
where pg_catalog.starts_with(database.datname, ${literal(prefix)})`
}
