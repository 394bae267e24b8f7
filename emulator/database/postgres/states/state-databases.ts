// The databases of projects and the copies of them, as the server lists them, and the statements that copy, replace and drop
// them.
import { ownerRoleOf, realtimeRoleOf, type SchemaName, trusted } from '../../../core/names.ts'
import { type Engine, type PlatformScope, SqlError, textRows } from '../../engine.ts'
import { identifier, join, literal, type Sql, script, sql, verbatim } from '../../sql.ts'
import { databaseOf } from '../connections/logins.ts'
import type { RunningServer } from '../server/running-server.ts'
import type { KeptCopy, KeptRole } from './kept-copy.ts'

/** What states need of the engine. */
export interface StatesRoom extends Pick<Engine, 'admin'> {
  readonly server: Pick<RunningServer, 'facts' | 'prefix' | 'secret'>
  /** Ends the connections to a project's database, and keeps new ones away until the returned function is called. */
  evict(project: PlatformScope): Promise<() => void>
  /** The number of sessions that Tenantry has opened in the project's database since the engine started. */
  sessionsOpened(project: SchemaName): number
}

/** The database of a project. */
export interface PresentProject {
  readonly schemaName: SchemaName
  readonly database: string
  readonly oid: string
  /** Sessions of other programs that the database has had. It did not change while neither they nor Tenantry wrote. */
  readonly strangers: number
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
const IN_USE = '55006'
const ATTEMPTS = 3
/** Milliseconds that the server waits for the end of a session. */
const END_WITHIN_MILLIS = 2_000

export class StateDatabases {
  readonly #room: StatesRoom
  #number = 0

  constructor(room: StatesRoom) {
    this.#room = room
  }

  /** @throws {SqlError} */
  async list(): Promise<Listed> {
    const { prefix } = this.#room.server
    const rows =
      await this.#query(sql`select database.datname::text as name, database.oid::text as oid,
  database.datallowconn as allows, pg_catalog.shobj_description(database.oid, 'pg_database') as comment,
  coalesce(counters.sessions, 0)::text as sessions
from pg_catalog.pg_database as database
left join pg_catalog.pg_stat_database as counters on counters.datid = database.oid
where pg_catalog.starts_with(database.datname, ${literal(prefix)})`)
    const projects = new Map<SchemaName, PresentProject>()
    const others = new Map<string, { readonly oid: string }>()
    for (const { name: database = '', oid = '', allows, comment = '', sessions } of rows) {
      const name = database.slice(prefix.length)
      if (name.startsWith('proj_')) {
        const schemaName = trusted.schemaName(name)
        const strangers = Number(sessions) - this.#room.sessionsOpened(schemaName)
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

  /** Copies a database in which no session can be. Returns the new one's oid. @throws {SqlError} */
  async copyTo(source: string, database: string): Promise<string> {
    await this.#run([copyStatement(source, database)])
    const [made] = await this.#query(
      sql`select oid::text as oid from pg_catalog.pg_database where datname = ${literal(database)}`,
    )
    return made?.['oid'] ?? ''
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

  // Returns the number of sessions that the database has had. The server counts a session before it answers for the first time.
  async #endSessions(database: string): Promise<number> {
    const [counted] = await this.#query(sql`select (
  select count(pg_catalog.pg_terminate_backend(pid, ${literal(String(END_WITHIN_MILLIS))}::bigint))
  from pg_catalog.pg_stat_activity where datname = ${literal(database)}) as ended,
  (select coalesce(sum(sessions), 0) from pg_catalog.pg_stat_database where datname = ${literal(database)})::text as sessions`)
    return Number(counted?.['sessions'] ?? 0)
  }

  async #run(statements: readonly Sql[]): Promise<void> {
    await this.#room.admin('cluster', script(statements))
  }

  async #query(statement: Sql): Promise<readonly Record<string, string | undefined>[]> {
    return textRows((await this.#room.admin('cluster', script([statement]))).at(-1))
  }
}

function keptCopy(
  database: string,
  facts: Record<string, string | undefined> | undefined,
): KeptCopy {
  const { comment = '', oid = '', roles } = facts ?? {}
  return { database, oid, roles: rolesOf(roles), comment }
}

/** Allows or forbids new sessions. */
export function allowConnections(database: string, isAllowed: boolean): Sql {
  return sql`alter database ${identifier(database)} allow_connections ${verbatim(String(isAllowed))}`
}

export function renameDatabase(from: string, to: string): Sql {
  return sql`alter database ${identifier(from)} rename to ${identifier(to)}`
}

/**
 * Gives a project's database another name, and closes it. Takes away everybody's rights, because roles that have rights on a
 * database cannot be dropped.
 */
export function setAside(database: string, aside: string): readonly Sql[] {
  return [
    renameDatabase(database, aside),
    allowConnections(aside, false),
    verbatim(`do $block$
declare
  holder name;
begin
  for holder in
    select rolname from pg_catalog.pg_database
    cross join lateral pg_catalog.aclexplode(datacl) as rights
    join pg_catalog.pg_roles as roles on roles.oid = rights.grantee
    where datname = ${literal(aside).text} and rights.grantee <> datdba
  loop
    execute pg_catalog.format('revoke all on database %I from %I', ${literal(aside).text}, holder);
  end loop;
end
$block$`),
  ]
}

// Copies files instead of logging each page.
function copyStatement(source: string, database: string): Sql {
  return sql`create database ${identifier(database)} template ${identifier(source)} strategy file_copy allow_connections false`
}

// A copy does not take over the comment of its source.
function factsOfCopy(source: string, database: string, schemaName: SchemaName): Sql {
  const roles = join(
    [ownerRoleOf(schemaName), realtimeRoleOf(schemaName)].map((role) => literal(role)),
  )
  return sql`select oid::text as oid,
  (select pg_catalog.string_agg(rolname || ' ' || roles.oid, ',') from pg_catalog.pg_roles as roles
   where rolname in (${roles})) as roles,
  (select pg_catalog.shobj_description(oid, 'pg_database') from pg_catalog.pg_database
   where datname = ${literal(source)}) as comment
from pg_catalog.pg_database where datname = ${literal(database)}`
}

function rolesOf(text: string | undefined): readonly KeptRole[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', oid = ''] = part.split(' ')
      return { name, oid }
    })
}
