// The interface of the engine: every operation that Tenantry needs from Postgres. Tenant work (a tenant's role in its own
// fenced schema) and platform work (roles, DDL, platform tables) never mix. Comments mark what only the embedded engine can do.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'
import { ownerRoleOf, type RoleName, realtimeRoleOf, type SchemaName } from '../core/names.ts'
import type { PlatformTime } from '../core/platform-clock.ts'
import type { PostgresSession, SessionEvents } from '../core/postgres-session.ts'
import { type Actor, SHARED_ROLES } from '../core/principal.ts'
import type { StopSignal } from '../core/stop-signal.ts'
import type { EngineChanges } from './engine-changes.ts'
import type { EngineClients } from './engine-clients.ts'
import type { EngineProjects } from './engine-projects.ts'
import type { Sql, SqlParam, SqlScript, TenantScript } from './sql.ts'

/**
 * Statements that run in one transaction as `actor`, in one round trip. No statement or function can change the role. Nor can it
 * name, read or change another tenant's schema (docs/wire/realtime.md#changes).
 */
export interface TenantWork {
  readonly actor: Actor
  /** Settings that are local to the transaction, set in this order before the first statement. */
  readonly settings: Readonly<Record<string, string>>
  /** `readOnly` refuses writes with SQLSTATE 25006. */
  readonly mode: 'readOnly' | 'readWrite'
  /** Prepared statements with parameters, or the owner's own script. */
  readonly statements: readonly Sql[] | TenantScript
  /** What the engine does after the last statement when none failed. */
  readonly end: 'commit' | 'rollback'
  /**
   * The engine checks this condition before the commit. When the condition is false, the transaction is rolled back and
   * `committed` is false.
   */
  readonly postcondition?: Postcondition | undefined
  /**
   * The limit of all statements' rows together, in bytes. Rows beyond the limit are left out; only command tags count them.
   * Notices are limited to 1 MB. Absent: no limits.
   */
  readonly maxResultBytes?: number | undefined
  /**
   * When true, work with more than `maxResultBytes` fails with `RESULT_TOO_LARGE`, and nothing is committed. This limit
   * requires statements with parameters, because a script may already have committed.
   */
  readonly refusesLargeResults?: boolean | undefined
  /** The wall-clock milliseconds until the engine cancels the statement with SQLSTATE 57014. */
  readonly timeoutMillis: number
  /**
   * True for the platform's own long work (a clone, a fixture, an import): it is not cancelled while other work waits for it.
   */
  readonly mayKeepOthersWaiting?: boolean | undefined
  /** True for a clone: no event trigger fires. The platform's event triggers concern the tenant's own changes. */
  readonly firesNoEventTriggers?: boolean | undefined
  /** Aborting cancels the work, queued or running; the promise rejects with SQLSTATE 57014. */
  readonly signal?: StopSignal | undefined
  /** The id of the request that started the work. The work's row changes carry this id. */
  readonly requestId?: string | undefined
}

/** The integer in `column` of the first row of statement `statement` must lie in `min … max`. */
export interface Postcondition {
  readonly statement: number
  readonly column: number
  readonly min: number
  readonly max: number
}

/**
 * One read that runs many times as one role, each time with other settings and values. Callers use this read to find out what
 * several identities would see. Questions cannot write and do not affect each other.
 */
export interface TenantQuestions {
  readonly actor: Actor
  /** Settings for all questions. A question's own settings override them. */
  readonly settings: Readonly<Record<string, string>>
  /** The read. Only the number of the statement's parameters matters, because each question has its own values. */
  readonly statement: Sql
  readonly questions: readonly {
    readonly settings: Readonly<Record<string, string>>
    readonly params: readonly SqlParam[]
  }[]
  /**
   * The oid of the only relation that the role can read, directly, in a function or through a view. Security-definer functions
   * are not restricted (docs/wire/realtime.md#changes). Absent: no restriction.
   */
  readonly onlyRelation?: number
  /** The limit of all questions together, in wall-clock milliseconds. */
  readonly timeoutMillis: number
}

/** The `routine` in the error of a question that reads another relation than `onlyRelation`; its SQLSTATE is 42501. */
export const BEYOND_RELATION = 'tenantry_beyond_relation'

/** The answer has rows in Postgres's text format without column descriptions, or the question's error. */
export type Answer = StatementResult['rows'] | SqlError

export interface WorkResult {
  /** The results, one for each statement. A script has one result per statement that returns something or changes rows. */
  readonly results: readonly StatementResult[]
  readonly committed: boolean
  readonly notices: readonly Notice[]
  /** The wall-clock milliseconds inside the engine, without the time in the queue. */
  readonly durationMillis: number
}

export interface StatementResult {
  readonly fields: readonly Field[]
  /** Cells in Postgres's text format, as bytes; `null` is SQL's null. */
  readonly rows: readonly (readonly (Uint8Array | null)[])[]
  /** The command tag, such as `SELECT 3`, `INSERT 0 1` or `CREATE TABLE`. */
  readonly commandTag: string
}

export interface Field {
  readonly name: string
  /** Oid of the column's type. */
  readonly typeOid: number
}

/** A message that Postgres sends beside the result (`raise notice`, warnings). */
export interface Notice {
  readonly severity: string
  readonly sqlState: string
  readonly message: string
}

export interface EngineStats {
  readonly queued: number
  /** The number of jobs that were submitted since the start. */
  readonly submitted: number
  /** True when the engine is ready, has no job, and no client has a transaction open. */
  readonly isIdle: boolean
  /** The memory of an engine inside this process. Absent: the engine is a server with its own memory. */
  readonly heapBytes?: number
  readonly restarts: number
  /** The share of the time of all work that was spent waiting for a turn or for a connection, from 0 to 1. */
  readonly waitingShare: number
  /** The capabilities that were missing at start. */
  readonly degraded: readonly string[]
  /** Why the engine does not start. The reason is present while all work is refused. */
  readonly down?: string
}

/** The login of a client of the Postgres port, as the owner of its project. */
export interface ClientLogin {
  readonly schemaName: SchemaName
  readonly role: RoleName
  /** The values that RESET restores, `search_path` included. */
  readonly settings: Readonly<Record<string, string>>
  readonly events: SessionEvents
}

/** What differs between engines and matters to callers. */
export interface EngineFacts {
  readonly kind: EngineKind
  /** Whether SQL's `now()` follows `setTime`. When false, `setTime` does nothing. */
  readonly movesSqlTime: boolean
}

/** `embedded` is PGlite in a thread of this process; `postgres` is a server. */
export type EngineKind = 'embedded' | 'postgres'

/** Where platform work runs: in one project's database, or in the cluster itself, where no project's objects are. */
export type PlatformScope = SchemaName | 'cluster'

export interface Engine {
  readonly facts: EngineFacts
  readonly projects: EngineProjects
  readonly changes: EngineChanges
  /** Present when programs of the user connect to the engine's own port, without `connect`. */
  readonly clients?: EngineClients
  /** Runs a tenant's statements. @throws {SqlError} */
  run(work: TenantWork): Promise<WorkResult>
  /**
   * Returns one answer for each question. A failed question does not affect the others. After a timeout the last answer is
   * SQLSTATE 57014 and the answers after it are missing. @throws {SqlError} when no question can run
   */
  ask(questions: TenantQuestions): Promise<readonly Answer[]>
  /**
   * Runs platform work in one transaction, with the platform's own account. The work names no other project than `where`. It
   * may name tenant schemas for DDL, but must not read their rows or call their functions.
   * @throws {SqlError} 3D000 when the project does not exist
   */
  admin(where: PlatformScope, work: SqlScript): Promise<readonly StatementResult[]>
  /**
   * Opens a session for a client of the Postgres port, with its own settings and prepared statements. Other work waits while
   * the client's transaction is open, up to a limit. Only the embedded engine needs this method, because a server has its own
   * port.
   * @throws {SqlError} when role or settings are refused
   */
  connect(login: ClientLogin): Promise<PostgresSession>
  /** Makes SQL's `now()` follow platform time, where `facts.movesSqlTime` is true. */
  setTime(time: PlatformTime): Promise<void>
  stats(): EngineStats
  /** Finishes queued work, flushes everything and stops. */
  close(): Promise<void>
}

/** Returns the engine's members that a wrapper of `run` and `connect` passes on unchanged. */
export function delegate(engine: Engine): Omit<Engine, 'run' | 'connect'> {
  return {
    facts: engine.facts,
    projects: engine.projects,
    changes: engine.changes,
    ...(engine.clients === undefined ? {} : { clients: engine.clients }),
    ask: (questions) => engine.ask(questions),
    admin: (where, work) => engine.admin(where, work),
    setTime: (time) => engine.setTime(time),
    stats: () => engine.stats(),
    close: () => engine.close(),
  }
}

export interface SqlErrorFacts extends ErrorFacts {
  /** The position in the statement, as a 1-based character offset. */
  readonly position?: number | undefined
  /** Number of statements of the script that had completed before the one that failed. */
  readonly statementsDone?: number | undefined
  readonly schema?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  readonly severity?: string | undefined
  /** The function of Postgres or of the fence that raised the error. */
  readonly routine?: string | undefined
  /** The notices that came before the failure. */
  readonly notices?: readonly Notice[] | undefined
}

/**
 * An error of Postgres, or one of ours with its codes: 57014 cancelled, 53300 not begun, 57P02 engine restarted, 57P03 down.
 */
export class SqlError extends EmulatorError {
  override readonly code: string
  readonly facts: SqlErrorFacts

  constructor(sqlState: string, message: string, facts: SqlErrorFacts = {}) {
    super(message, facts)
    this.code = sqlState
    this.facts = facts
  }
}

/** Whether the engine refused the work before it began: too much else was queued (53300), or it is down (57P03). */
export function wasNotBegun(error: unknown): boolean {
  if (!(error instanceof SqlError) || error.retryAfterSeconds === undefined) return false
  return error.code === '53300' || error.code === '57P03'
}

/** Returns the error of work that ran. @throws {SqlError} of work that did not begin */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | SqlError> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SqlError) || wasNotBegun(error)) throw error
    return error
  }
}

const decoder = new TextDecoder()

export function cellText(cell: Uint8Array | null | undefined): string | undefined {
  return cell === null || cell === undefined ? undefined : decoder.decode(cell)
}

/** Decodes a small result into records of text; SQL's null becomes `undefined`. */
export function textRows(
  result: StatementResult | undefined,
): Record<string, string | undefined>[] {
  if (result === undefined) return []
  return result.rows.map((row) =>
    Object.fromEntries(result.fields.map((field, index) => [field.name, cellText(row[index])])),
  )
}

/** The SQLSTATE, of our own, for work whose rows exceed `maxResultBytes`. */
export const RESULT_TOO_LARGE = 'TY002'

/** Returns the number of a statement's rows that `maxResultBytes` left out. */
export function rowsLeftOut(result: StatementResult | undefined): number {
  if (result === undefined || result.fields.length === 0) return 0
  const counted = /\d+$/.exec(result.commandTag)?.[0]
  return counted === undefined ? 0 : Math.max(0, Number(counted) - result.rows.length)
}

const SHARED: ReadonlySet<string> = new Set(SHARED_ROLES)

/**
 * Checks that the role of tenant work belongs to its project. Every engine calls this function before any other check.
 * @returns the role and schema alone, without the claims of a principal
 * @throws {SqlError} 42501 when the role belongs to another project
 */
export function requireOwnRole({ schemaName, role }: Actor): Actor {
  if (!SHARED.has(role) && role !== ownerRoleOf(schemaName) && role !== realtimeRoleOf(schemaName))
    throw new SqlError('42501', `role "${role}" does not belong to ${schemaName}`)
  return { schemaName, role }
}
