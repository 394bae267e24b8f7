// The engine port: what the project asks of Postgres, whichever Postgres it is. Two kinds of work exist and they never
// mix: tenant work (a tenant's role, inside its own schema, fenced) and platform work (roles, DDL, the platform's tables).
//
// Embedded (PGlite) and server (`pg`) engines share this port. What only one of them can do is said at the member.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { RoleName, SchemaName } from '../core/names.ts'
import type { PlatformTime } from '../core/platform-clock.ts'
import type { PostgresSession, SessionEvents } from '../core/postgres-session.ts'
import type { Sql, SqlParam, SqlScript, TenantScript } from './sql.ts'

/**
 * Who a tenant's statement runs as. `auth_admin` alone writes the tenant's `auth_*` tables; `row_reader` reads every row
 * of the schema and belongs to row-reader.ts.
 */
export interface Actor {
  readonly schemaName: SchemaName
  readonly role: 'anon' | 'authenticated' | 'service_role' | 'auth_admin' | 'row_reader' | RoleName
}

/**
 * Statements that run in one transaction as `actor`, in one round trip. The role cannot be left by any statement or
 * function, and no other tenant's schema can be named, read or changed (docs/wire/realtime.md#changes).
 */
export interface TenantWork {
  readonly actor: Actor
  /** Settings local to the transaction, set in this order before the first statement. */
  readonly settings: Readonly<Record<string, string>>
  /** `readOnly` refuses writes with SQLSTATE 25006. */
  readonly mode: 'readOnly' | 'readWrite'
  /** Either prepared statements with parameters, or the owner's own script. */
  readonly statements: readonly Sql[] | TenantScript
  /** What happens after the last statement when none failed. */
  readonly end: 'commit' | 'rollback'
  /** Checked before the commit; when it does not hold the transaction is rolled back and `committed` is false. */
  readonly postcondition?: Postcondition
  /**
   * Bytes of rows, over all statements, that are given: those after them are left out and only counted by command tags. Of
   * notices a megabyte is given. Absent: whatever there is.
   */
  readonly maxResultBytes?: number
  /**
   * Whether more than `maxResultBytes` fails the work with `RESULT_TOO_LARGE`, and nothing is committed. Of statements with
   * parameters only: a script may have committed by then.
   */
  readonly refusesLargeResults?: boolean
  /** Wall milliseconds until the statement is cancelled with SQLSTATE 57014. */
  readonly timeoutMillis: number
  /**
   * The platform's own long work (a clone, a fixture, an import): it is not cancelled because other work waits for it.
   */
  readonly mayKeepOthersWaiting?: boolean
  /** Aborting cancels the work, queued or running; the promise rejects with SQLSTATE 57014. */
  readonly signal?: AbortSignal
  /** The request it is done for; told with the row changes that it commits. */
  readonly requestId?: string
}

/** The integer in `column` of the first row of statement `statement` must lie in `min … max`. */
export interface Postcondition {
  readonly statement: number
  readonly column: number
  readonly min: number
  readonly max: number
}

/**
 * One read asked as one role, each time with settings and values of its own: what several identities would see. Nothing
 * can be written, and no question notices another.
 */
export interface TenantQuestions {
  readonly actor: Actor
  /** Set before the questions' own. */
  readonly settings: Readonly<Record<string, string>>
  /** Its parameters only say how many each question has to bring. */
  readonly statement: Sql
  readonly questions: readonly {
    readonly settings: Readonly<Record<string, string>>
    readonly params: readonly SqlParam[]
  }[]
  /**
   * Oid of the one relation that the role can read then, directly, in a function or through a view; what a
   * security-definer function reads in its owner's name is free (docs/wire/realtime.md#changes). Absent: whatever the role may.
   */
  readonly onlyRelation?: number
  /** Wall milliseconds for all of them together. */
  readonly timeoutMillis: number
}

/** The `routine` of the error of a question that reads beyond its relation; its SQLSTATE is 42501. */
export const BEYOND_RELATION = 'tenantry_beyond_relation'

/** Rows in Postgres's text format without their description, or why there are none. */
export type Answer = StatementResult['rows'] | SqlError

export interface WorkResult {
  /** One per statement; for a script, one per statement that returns something or changes rows. */
  readonly results: readonly StatementResult[]
  readonly committed: boolean
  readonly notices: readonly Notice[]
  /** Wall milliseconds inside the engine, queueing excluded. */
  readonly durationMillis: number
  /** Rows of the outbox of change capture that this work committed; absent when nothing captured any. */
  readonly changes?: StatementResult
}

export interface StatementResult {
  readonly fields: readonly Field[]
  /** Cells in Postgres's text format, as bytes; `null` is SQL's null. */
  readonly rows: readonly (readonly (Uint8Array | null)[])[]
  /** e.g. `SELECT 3`, `INSERT 0 1`, `CREATE TABLE`. */
  readonly commandTag: string
}

export interface Field {
  readonly name: string
  /** Oid of the column's type. */
  readonly typeOid: number
}

/** A message Postgres sends beside the result (`raise notice`, warnings). */
export interface Notice {
  readonly severity: string
  readonly sqlState: string
  readonly message: string
}

export interface EngineStats {
  readonly queued: number
  readonly heapBytes: number
  readonly restarts: number
  /** Internals that were missing at start, so that a slower safe path is used. */
  readonly degraded: readonly string[]
  /** Why the engine does not start; set while all work fails at once. */
  readonly down?: string
}

/** A client that speaks Postgres's own protocol, as the owner of its project. */
export interface ClientLogin {
  readonly schemaName: SchemaName
  readonly role: RoleName
  /** Settings that every RESET leads back to; `search_path` among them. */
  readonly settings: Readonly<Record<string, string>>
  readonly events: SessionEvents
  /** Awaited before the client hears of the end of a transaction that changed something. */
  readonly afterWork?: (work: ClientWork) => Promise<void>
}

/** What a client's transaction left. */
export interface ClientWork {
  /** As in `WorkResult`. */
  readonly changes: StatementResult | undefined
  /** A statement told of a change of the schema; it may have been rolled back. */
  readonly isSchemaChanged: boolean
  /** Set when the engine died meanwhile: what was committed is unknown. */
  readonly lost: SqlError | undefined
}

export interface Engine {
  /** Runs a tenant's statements. @throws {SqlError} */
  run(work: TenantWork): Promise<WorkResult>
  /**
   * Gives one answer per question; a question that fails spoils no other. When time runs out the last answer is SQLSTATE
   * 57014 and the answers after it are missing. @throws {SqlError} when none can be asked
   */
  ask(questions: TenantQuestions): Promise<readonly Answer[]>
  /**
   * Runs platform work as superuser in one transaction. It may name tenant schemas for DDL but never reads their rows
   * and never evaluates their functions. Schemas it creates are fenced before any other work starts. @throws {SqlError}
   */
  admin(work: SqlScript): Promise<readonly StatementResult[]>
  /**
   * Opens a session of a client's own: it keeps settings and prepared statements, and its open transaction keeps everybody
   * else waiting, for a while. Only the embedded engine needs it: a server has a port itself.
   * @throws {SqlError} when role or settings are refused
   */
  connect(login: ClientLogin): Promise<PostgresSession>
  /** Makes SQL's `now()` follow platform time. The server engine cannot; it rejects with `feature_not_supported`. */
  setTime(time: PlatformTime): Promise<void>
  stats(): EngineStats
  /** Writes everything out and stops; queued work is finished first. */
  close(): Promise<void>
}

export interface SqlErrorFacts extends ErrorFacts {
  /** 1-based character offset into the statement. */
  readonly position?: number
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly severity?: string
  /** Function of Postgres, or of the fence, that raised it. */
  readonly routine?: string
  /** As in `WorkResult`: what was committed before the failure. */
  readonly changes?: StatementResult
  /** What was said before the failure. */
  readonly notices?: readonly Notice[]
}

/** An error Postgres reported, or one of our own in its codes (57014 cancelled, 53300 not begun, 57P02 engine restarted, 57P03 down). */
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

const decoder = new TextDecoder()

/** Decodes one cell to text. */
export function cellText(cell: Uint8Array | null | undefined): string | undefined {
  return cell === null || cell === undefined ? undefined : decoder.decode(cell)
}

/** Decodes a small result into records of text, for the catalogue readers. SQL's null becomes `undefined`. */
export function textRows(
  result: StatementResult | undefined,
): Record<string, string | undefined>[] {
  if (result === undefined) return []
  return result.rows.map((row) =>
    Object.fromEntries(result.fields.map((field, index) => [field.name, cellText(row[index])])),
  )
}

/** The SQLSTATE, of our own, of work whose rows exceed what it may give. */
export const RESULT_TOO_LARGE = 'TY002'

/** Rows that a statement gave and `maxResultBytes` left out. */
export function rowsLeftOut(result: StatementResult | undefined): number {
  if (result === undefined || result.fields.length === 0) return 0
  const counted = /\d+$/.exec(result.commandTag)?.[0]
  return counted === undefined ? 0 : Math.max(0, Number(counted) - result.rows.length)
}
