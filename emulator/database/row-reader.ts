// Reads a tenant's rows for the inspector and bypasses the tenant's policies. The reader runs read-only, inside the fence, with
// its own role. The reader's statements must not run a tenant's code with that role. Statements may use only tables,
// materialised views, built-in functions and operators, and no casts of a tenant's types.
import type { SchemaName } from '../core/names.ts'
import { retryableOnce } from '../core/retryable-once.ts'
import { type Engine, SqlError, type StatementResult } from './engine.ts'
import { readScript, type Sql, script, sql, verbatim } from './sql.ts'

export interface RowReader {
  /**
   * Runs the statements in one read-only transaction. The results have Postgres's default formats (ISO dates, UTC).
   * @throws {SqlError}
   */
  read(
    schemaName: SchemaName,
    statements: readonly Sql[],
    options?: ReadOptions,
  ): Promise<readonly StatementResult[]>
}

export interface ReadOptions {
  /** The schemas of unqualified names; `pg_catalog` always comes first. */
  readonly searchPath?: string
  /** Aborting cancels the statements. */
  readonly signal?: AbortSignal
  /** See `TenantWork.maxResultBytes`. */
  readonly maxResultBytes?: number
}

const TIME_LIMIT_MILLIS = 15_000

/** Output formats that do not depend on a tenant's settings. */
export const PLAIN_FORMATS: Readonly<Record<string, string>> = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
}

/** Creates the role on first use, because older data directories do not have it. */
export function createRowReader(engine: Engine): RowReader {
  let made = 0
  const role = retryableOnce(async () => {
    await makeRole(engine)
    made += 1
  })
  return {
    read: async (
      schemaName,
      statements,
      { searchPath = 'pg_catalog, extensions', ...bounds } = {},
    ) => {
      let madeBefore = 0
      const ask = async (): Promise<readonly StatementResult[]> => {
        await role.get()
        madeBefore = made
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
        if (!(error instanceof SqlError)) throw error
        // The role may be missing after a restore of an older state. Another read may have created the role again meanwhile.
        const exists = await hasRole(engine)
        await role.get()
        if (made === madeBefore) {
          if (exists) throw error
          role.forget()
        }
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
exception when duplicate_object or unique_violation then
  -- Another emulator on the same server has created the role at the same time.
  null;
end $$`

// Creates the role only when it is missing, because creating a role counts as a write to every schema.
async function makeRole(engine: Engine): Promise<void> {
  if (await hasRole(engine)) return
  await engine.admin(
    'cluster',
    script([sql`set local client_min_messages = warning`, verbatim(MAKE_ROLE)]),
  )
}

async function hasRole(engine: Engine): Promise<boolean> {
  const results = await engine.admin(
    'cluster',
    readScript([sql`select from pg_catalog.pg_roles where rolname = 'row_reader'`]),
  )
  return results.at(-1)?.rows.length !== 0
}
