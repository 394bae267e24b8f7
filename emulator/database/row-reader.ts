// Reads a tenant's rows past its policies, for the inspector: inside the fence, read-only, and as a role of its own, so
// that nothing a tenant defined can borrow rights. Statements must not evaluate a tenant's code: tables and
// materialised views only, built-in functions and operators only, and no cast of a tenant's type.
import type { SchemaName } from '../core/names.ts'
import { type Engine, SqlError, type StatementResult } from './engine.ts'
import { type Sql, script, sql, verbatim } from './sql.ts'

export interface RowReader {
  /**
   * Runs the statements in one read-only transaction; rows come in Postgres's usual formats (ISO dates, UTC).
   * @throws {SqlError}
   */
  read(
    schemaName: SchemaName,
    statements: readonly Sql[],
    options?: ReadOptions,
  ): Promise<readonly StatementResult[]>
}

export interface ReadOptions {
  /** Where unqualified names are looked up and may be written without their schema; `pg_catalog` comes first in any case. */
  readonly searchPath?: string
  /** Aborting cancels the statements. */
  readonly signal?: AbortSignal
  /** As in `TenantWork`. */
  readonly maxResultBytes?: number
}

const TIME_LIMIT_MILLIS = 15_000

/** How values are written and read again, whatever a tenant has set. */
export const PLAIN_FORMATS: Readonly<Record<string, string>> = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
}

/** The role is made when it is first needed, also in data directories that are older than it. */
export function createRowReader(engine: Engine): RowReader {
  let made: Promise<void> | undefined
  const ensureRole = (): Promise<void> => {
    made ??= makeRole(engine).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
  return {
    read: async (
      schemaName,
      statements,
      { searchPath = 'pg_catalog, extensions', ...bounds } = {},
    ) => {
      const ask = async (): Promise<readonly StatementResult[]> => {
        await ensureRole()
        const { results } = await engine.run({
          actor: { schemaName, role: 'row_reader' },
          settings: { search_path: searchPath, ...PLAIN_FORMATS },
          mode: 'readOnly',
          statements,
          end: 'rollback',
          timeoutMillis: TIME_LIMIT_MILLIS,
          ...bounds,
        })
        return results
      }
      try {
        return await ask()
      } catch (error) {
        // The database may have gone back to a state from before the role.
        if (!(error instanceof SqlError) || (await hasRole(engine))) throw error
        made = undefined
        return await ask()
      }
    },
  }
}

const MAKE_ROLE = `do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'row_reader') then
    create role row_reader nologin inherit bypassrls;
    grant pg_read_all_data to row_reader;
  end if;
end $$`

async function makeRole(engine: Engine): Promise<void> {
  await engine.admin(script([sql`set local client_min_messages = warning`, verbatim(MAKE_ROLE)]))
}

async function hasRole(engine: Engine): Promise<boolean> {
  const results = await engine.admin(
    script([sql`select from pg_catalog.pg_roles where rolname = 'row_reader'`]),
  )
  return results.at(-1)?.rows.length !== 0
}
