// Reads and writes a tenant's `auth_*` tables (docs/wire/auth.md). Statements run as auth_admin, the only role with access to
// these tables. Each call takes one transaction and one round trip.

import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import { toIso } from '../../core/time.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type StatementResult,
  type TenantWork,
} from '../../database/engine.ts'
import { type Sql, sql } from '../../database/sql.ts'
import { CredentialError } from '../../platform/credentials/credential-error.ts'
import { userGone } from './errors.ts'

/** One row of a result, with values in Postgres's text format. `null` means SQL NULL. */
export type TextRow = readonly (string | null)[]

export interface AuthTables {
  /**
   * Runs the statements in one transaction and returns the rows of each statement.
   * @throws {SqlError}
   * @throws {CredentialError} `offline` when the project was erased meanwhile
   */
  read(schemaName: SchemaName, ...statements: readonly Sql[]): Promise<readonly TextRow[][]>
  write(schemaName: SchemaName, ...statements: readonly Sql[]): Promise<readonly TextRow[][]>
  /**
   * Runs the statements like `write`, after `lock` has locked rows. A statement sees what was committed before the statement
   * began, so only statements after the lock see what the lock's earlier holder wrote. Lock users before any other row.
   */
  writeLocked(
    schemaName: SchemaName,
    lock: Sql,
    ...statements: readonly Sql[]
  ): Promise<readonly TextRow[][]>
}

/**
 * Platform time at the start of the call, in a statement of `read` or `write`. Statements must not use SQL's `now()` for rows of
 * `auth_*` tables, because a database server keeps its own time.
 */
export const PLATFORM_NOW: Sql = sql`pg_catalog.current_setting('tenantry.now')::timestamptz`

/** SQLSTATEs of work on a project that was erased: the table, the login and the database do not exist. */
const ERASED: ReadonlySet<string> = new Set(['42P01', '42704', '3D000'])
const FOREIGN_KEY_VIOLATION = '23503'
/** SQLSTATEs of transactions that Postgres rolled back because of another transaction: serialization failure and deadlock. */
const CONTENDED: ReadonlySet<string> = new Set(['40001', '40P01'])
const USER_KEY =
  /^auth_(?:credentials|sessions|identities|mfa_factors|one_time_codes|flow_states)_user_id_fkey$/
const TIMEOUT_MILLIS = 8_000

/** @param clock platform time, which statements read as `PLATFORM_NOW` */
export function createAuthTables(engine: Engine, clock: Pick<Clock, 'now'>): AuthTables {
  async function run(
    schemaName: SchemaName,
    mode: TenantWork['mode'],
    statements: readonly Sql[],
  ): Promise<readonly TextRow[][]> {
    const work: TenantWork = {
      actor: { schemaName, role: 'auth_admin' },
      settings: { search_path: searchPathOf(schemaName), 'tenantry.now': toIso(clock.now()) },
      mode,
      statements,
      end: 'commit',
      timeoutMillis: TIMEOUT_MILLIS,
    }
    const { results } = await engine
      .run(work)
      .catch((error: unknown) => {
        if (isContended(error)) return engine.run(work)
        throw error
      })
      .catch(refuse)
    return results.map(rowsOf)
  }
  return {
    read: (schemaName, ...statements) => run(schemaName, 'readOnly', statements),
    write: (schemaName, ...statements) => run(schemaName, 'readWrite', statements),
    writeLocked: async (schemaName, lock, ...statements) =>
      (await run(schemaName, 'readWrite', [lock, ...statements])).slice(1),
  }
}

// Postgres has rolled the transaction back, so it can run once more.
function isContended(error: unknown): boolean {
  return error instanceof SqlError && CONTENDED.has(error.code)
}

function refuse(error: unknown): never {
  if (!(error instanceof SqlError)) throw error
  // A purge erased the project before this request ran.
  if (ERASED.has(error.code))
    throw new CredentialError('offline', 'The project was erased.', { cause: error })
  // The user was deleted after this request had read the user.
  if (error.code === FOREIGN_KEY_VIOLATION && USER_KEY.test(error.facts.constraint ?? ''))
    throw userGone()
  throw error
}

function rowsOf(result: StatementResult): TextRow[] {
  return result.rows.map((row) => row.map((cell) => cellText(cell) ?? null))
}

/** Returns the SHA-256 of a secret in base64url. A fast hash is enough, because the emulator's secrets have 256 random bits. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
