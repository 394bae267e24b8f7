// Access to a tenant's `auth_*` tables: as auth_admin, the only role that reaches them, in one transaction and one round trip
// per call (docs/wire/auth.md).

import { createHash } from 'node:crypto'
import type { SchemaName } from '../core/names.ts'
import { CredentialError } from '../credentials/credential-error.ts'
import { searchPathOf } from '../database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type StatementResult,
  type TenantWork,
} from '../database/engine.ts'
import type { Sql } from '../database/sql.ts'

/** Rows as texts, `null` for SQL's null. */
export type TextRow = readonly (string | null)[]

export interface AuthTables {
  /**
   * Runs the statements in one transaction and gives the rows of each.
   * @throws {SqlError} @throws {CredentialError} `offline` when the project was erased meanwhile
   */
  read(schemaName: SchemaName, ...statements: readonly Sql[]): Promise<readonly TextRow[][]>
  write(schemaName: SchemaName, ...statements: readonly Sql[]): Promise<readonly TextRow[][]>
}

const UNDEFINED_TABLE = '42P01'
const TIMEOUT_MILLIS = 8_000

export function createAuthTables(engine: Engine): AuthTables {
  async function run(
    schemaName: SchemaName,
    mode: TenantWork['mode'],
    statements: readonly Sql[],
  ): Promise<readonly TextRow[][]> {
    const { results } = await engine
      .run({
        actor: { schemaName, role: 'auth_admin' },
        settings: { search_path: searchPathOf(schemaName) },
        mode,
        statements,
        end: 'commit',
        timeoutMillis: TIMEOUT_MILLIS,
      })
      .catch(refuseErased)
    return results.map(rowsOf)
  }
  return {
    read: (schemaName, ...statements) => run(schemaName, 'readOnly', statements),
    write: (schemaName, ...statements) => run(schemaName, 'readWrite', statements),
  }
}

// The tables exist as long as their project: a purge finished before the request.
function refuseErased(error: unknown): never {
  if (error instanceof SqlError && error.code === UNDEFINED_TABLE)
    throw new CredentialError('offline', 'The project was erased.', { cause: error })
  throw error
}

function rowsOf(result: StatementResult): TextRow[] {
  return result.rows.map((row) => row.map((cell) => cellText(cell) ?? null))
}

/** SHA-256 of a secret's text in base64url. Secrets drawn by us carry 256 random bits: nothing slower is needed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
