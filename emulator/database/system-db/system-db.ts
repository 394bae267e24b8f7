// The platform's own database (SQLite) for everything that is not tenant data. Only one process writes this database. With
// `full` durability, completed writes survive a power cut.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { EmulatorError } from '../../core/errors.ts'
import { keepPrivate, makePrivateFile } from '../../core/private-files.ts'
import type { MigrationSet } from './system-schema.ts'

type SystemDbErrorCode = 'unreadable' | 'newer_schema'

/** The database file is damaged, not ours, or written by a newer release. */
class SystemDbError extends EmulatorError {
  override readonly code: SystemDbErrorCode

  constructor(code: SystemDbErrorCode, message: string, facts: { hint?: string; cause?: unknown }) {
    super(message, facts)
    this.code = code
  }
}

/** Values in SQLite. The database stores instants as epoch milliseconds and booleans as 0 and 1. */
type SystemValue = string | number | bigint | null | Uint8Array

/** A prepared statement. The type `Row` is not checked at run time. */
interface SystemStatement<Params extends readonly SystemValue[], Row> {
  /** Runs a write and returns the number of changed rows. */
  run(...params: Params): number
  get(...params: Params): Row | undefined
  all(...params: Params): Row[]
}

export interface SystemDb {
  prepare<Params extends readonly SystemValue[], Row = never>(
    text: string,
  ): SystemStatement<Params, Row>
  /**
   * The version increases with every write and rollback. Results cached by a caller stay valid while the version is unchanged.
   */
  readonly revision: number
  /** Runs `work` in one transaction, which is flushed to disk once. A nested call joins the outer transaction. */
  transaction<Result>(work: () => Result): Result
  /** Copies everything that is committed to a file. */
  saveTo(file: string): void
  /**
   * Replaces the content, in one transaction, with a file that `saveTo` of this or an older release wrote. @throws
   * {SystemDbError}
   */
  loadFrom(file: string): void
  /** Copies the write-ahead log into the file; the next write starts the log again. */
  checkpoint(): void
  close(): void
}

export interface SystemDbOptions {
  /** Path of the file, created when missing; `undefined` keeps everything in memory. */
  readonly file: string | undefined
  readonly migrations: readonly MigrationSet[]
  /** `full` (default) flushes at each commit; `normal` may lose the last commits in a power cut, but never the file. */
  readonly durability?: 'full' | 'normal'
  /**
   * Pages of 4 KiB in the write-ahead log at which a commit also writes a checkpoint, 1,000 by default. A checkpoint flushes two
   * files, so a caller that calls `checkpoint` between its writes should set a larger number.
   */
  readonly checkpointPages?: number
}

/** Size to which SQLite shrinks a longer write-ahead log when the log starts again. */
const LOG_BYTES = 4 << 20

/** Opens the database and runs missing migrations. @throws {SystemDbError} */
export function openSystemDb(options: SystemDbOptions): SystemDb {
  const connection = connect(options.file)
  try {
    connection.pragma('journal_mode = wal')
    connection.pragma(`synchronous = ${options.durability ?? 'full'}`)
    connection.pragma(`journal_size_limit = ${LOG_BYTES}`)
    connection.pragma(`wal_autocheckpoint = ${options.checkpointPages ?? 1_000}`)
    connection.pragma('foreign_keys = on')
    // The disk may be full, so temporary tables and sorts stay in memory.
    connection.pragma('temp_store = memory')
    for (const set of options.migrations) migrate(connection, set)
  } catch (error) {
    connection.close()
    throw error instanceof SystemDbError ? error : unreadable(options.file, error)
  }
  return wrap(connection, options.migrations)
}

/**
 * Checks that this release can open an existing database, and changes nothing.
 * @throws {SystemDbError} newer_schema when a newer release wrote it, unreadable when it is damaged or not ours
 */
export function requireKnownVersion(file: string, migrations: readonly MigrationSet[]): void {
  let connection: Database.Database | undefined
  try {
    connection = openUnchanged(file)
    for (const set of migrations) requireKnown(set, versionOf(connection, set))
  } catch (error) {
    throw error instanceof SystemDbError ? error : unreadable(file, error)
  } finally {
    connection?.close()
  }
}

/** Offsets of the file's write and read version: 1 without a write-ahead log, 2 with one (sqlite.org/fileformat2.html). */
const FILE_VERSIONS = [18, 19] as const

// SQLite creates two files beside a database in WAL mode, and a reader does not remove them. So this function opens a copy in
// memory, unless a killed process has left a log, whose rows the file itself lacks.
function openUnchanged(file: string): Database.Database {
  if (existsSync(`${file}-wal`)) return new Database(file, { readonly: true })
  const bytes = readFileSync(file)
  for (const offset of FILE_VERSIONS) bytes[offset] = 1
  return new Database(bytes)
}

function connect(file: string | undefined): Database.Database {
  try {
    if (file === undefined) return new Database(':memory:')
    // Only the user may read the file, because the database contains signing keys. SQLite gives its -wal and -shm files the
    // mode of this file.
    makePrivateFile(file)
    for (const beside of ['-wal', '-shm']) keepPrivate(file + beside)
    return new Database(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string | undefined, cause: unknown): SystemDbError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SystemDbError(
    'unreadable',
    `The platform database ${file ?? '(memory)'} cannot be opened: ${reason}.`,
    {
      hint: 'Check the permissions of the data directory, or start with another one.',
      cause,
    },
  )
}

function migrate(connection: Database.Database, set: MigrationSet): void {
  connection.exec(
    'create table if not exists schema_versions (layer text primary key, version integer not null) strict',
  )
  const current = versionOf(connection, set)
  requireKnown(set, current)
  const record = connection.prepare<[string, number]>(
    'insert into schema_versions (layer, version) values (?, ?) on conflict (layer) do update set version = excluded.version',
  )
  for (let number = current + 1; number <= set.steps.length; number += 1)
    connection
      .transaction(() => {
        connection.exec(set.steps[number - 1] ?? '')
        record.run(set.layer, number)
      })
      .immediate()
}

function versionOf(connection: Database.Database, { layer }: MigrationSet): number {
  const row = connection
    .prepare<[string], { version: number }>('select version from schema_versions where layer = ?')
    .get(layer)
  return row?.version ?? 0
}

function requireKnown({ layer, steps }: MigrationSet, current: number): void {
  if (current <= steps.length) return
  throw new SystemDbError(
    'newer_schema',
    `The data directory was written by a newer release (${layer} is at version ${current}, this release knows ${steps.length}).`,
    { hint: 'Use the newer release, or start with another data directory.' },
  )
}

function wrap(connection: Database.Database, migrations: readonly MigrationSet[]): SystemDb {
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  let revision = 0
  return {
    get revision() {
      return revision
    },
    prepare: <Params extends readonly SystemValue[], Row>(text: string) => {
      const statement = connection.prepare<SystemValue[], Row>(text)
      return {
        run: (...params: Params) => {
          revision += 1
          return statement.run(...params).changes
        },
        get: (...params: Params) => statement.get(...params),
        all: (...params: Params) => statement.all(...params),
      }
    },
    transaction: (work) => {
      if (connection.inTransaction) return work()
      begin.run()
      try {
        const result = work()
        commit.run()
        return result
      } finally {
        if (connection.inTransaction) {
          revision += 1
          rollback.run()
        }
      }
    },
    saveTo: (file) => {
      writeFileSync(file, connection.serialize(), { mode: 0o600 })
    },
    loadFrom: (file) => {
      revision += 1
      copyFrom(connection, file, migrations)
    },
    checkpoint: () => {
      // A passive checkpoint never waits for another program that reads the file.
      connection.pragma('wal_checkpoint(passive)')
    },
    close: () => {
      connection.close()
    },
  }
}

const VERSIONS = 'select layer, version from %.schema_versions order by layer'

function copyFrom(
  connection: Database.Database,
  file: string,
  migrations: readonly MigrationSet[],
): void {
  // Foreign keys can only be switched off outside a transaction. The copied data already satisfies them.
  connection.pragma('foreign_keys = off')
  connection.prepare('attach ? as source').run(file)
  try {
    if (!isSameVersion(connection)) {
      connection.exec('detach source')
      openSystemDb({ file, migrations }).close()
      connection.prepare('attach ? as source').run(file)
    }
    connection.transaction(() => connection.exec(copyStatements(connection))).immediate()
  } finally {
    connection.exec('detach source')
    connection.pragma('foreign_keys = on')
  }
}

function isSameVersion(connection: Database.Database): boolean {
  const [present, other] = ['main', 'source'].map((name) =>
    JSON.stringify(connection.prepare(VERSIONS.replace('%', name)).all()),
  )
  return present === other
}

// Rows are copied in the order of their rowids, because lists rely on this order.
function copyStatements(connection: Database.Database): string {
  const names = connection
    .prepare<[], { name: string }>(
      `select name from main.sqlite_schema where type = 'table'
         and (name not like 'sqlite%' or name = 'sqlite_sequence')
       order by name like 'sqlite%'`,
    )
    .all()
  return names
    .map(
      ({ name }) =>
        `delete from main."${name}"; insert into main."${name}" select * from source."${name}";`,
    )
    .join('\n')
}
