// Engines for tests of the database, with tenants as the platform creates them. test/engines/ runs on each kind of engine.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import { trusted } from '../../emulator/core/names.ts'
import type { Observation } from '../../emulator/core/observation.ts'
import type { Actor } from '../../emulator/core/principal.ts'
import { ensureClusterImage } from '../../emulator/database/embedded/cluster/cluster-image.ts'
import {
  openPgliteEngine,
  type PgliteOptions,
} from '../../emulator/database/embedded/pglite-engine.ts'
import {
  cellText,
  type Engine,
  type TenantWork,
  type WorkResult,
} from '../../emulator/database/engine.ts'
import type { EngineStates } from '../../emulator/database/engine-states.ts'
import { openPostgresEngine } from '../../emulator/database/postgres/open-postgres-engine.ts'
import { describeServer } from '../../emulator/database/postgres/server/given-server.ts'
import type { EngineRehearsals } from '../../emulator/database/rehearsal.ts'
import {
  type Sql,
  script,
  type TenantScript,
  tenantScript,
  verbatim,
} from '../../emulator/database/sql.ts'
import { TEST_DATABASE_URL } from './engine-of-run.ts'
import { dropDatabases } from './server-databases.ts'

/**
 * SQLSTATEs of work that names another project. The embedded engine refuses such work. On a server, the named object does not
 * exist.
 */
export const OUT_OF_REACH = /^(42501|42P01|3F000)$/

export interface OpenedTestEngine {
  readonly engine: Engine & EngineStates & EngineRehearsals
  readonly observed: Observation[]
}

export interface TestEngineOptions {
  /**
   * Stores the engine's data and states, so that a test can open the engine again. Without a folder, nothing remains after
   * `close()`.
   */
  readonly folder?: string
}

/** Opens an engine of the kind that the run tests. */
export function openTestEngine({ folder }: TestEngineOptions = {}): Promise<OpenedTestEngine> {
  if (TEST_DATABASE_URL !== undefined) return openServerEngine(TEST_DATABASE_URL, folder)
  if (folder === undefined) return openEmbeddedEngine()
  return openEmbeddedEngine({
    dataDir: join(folder, 'cluster'),
    isTemporary: true,
    baselineFolder: join(folder, 'baseline'),
  })
}

/** Opens the server engine with databases of its own. Without a folder, they are dropped at the end. */
async function openServerEngine(url: string, kept: string | undefined): Promise<OpenedTestEngine> {
  const observed: Observation[] = []
  const ids = new SystemIdSource()
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'tenantry-engine-'))
  const server = await describeServer({ url, folder, ids })
  const engine = await openPostgresEngine({
    server,
    folder: join(folder, 'states'),
    wallClock: new SystemClock(),
    preciseNow: () => performance.now(),
    ids,
    observe: (observation) => observed.push(observation),
  })
  const close = async (): Promise<void> => {
    await engine.close()
    if (kept !== undefined) return
    await dropDatabases(url, server.prefix)
    rmSync(folder, { recursive: true })
  }
  return { engine: { ...engine, close }, observed }
}

/** Opens the embedded engine, by default in memory. */
export async function openEmbeddedEngine(
  options: Partial<PgliteOptions> = {},
): Promise<OpenedTestEngine> {
  const observed: Observation[] = []
  const engine = await openPgliteEngine({
    dataDir: undefined,
    wallClock: new SystemClock(),
    ids: new SystemIdSource(),
    observe: (observation) => observed.push(observation),
    clusterImage: await ensureClusterImage(),
    ...options,
  })
  return { engine, observed }
}

/** Creates a tenant as the platform does, with a table `notes`. Every role has all privileges on the tenant's objects. */
export async function createTestTenant(engine: Engine, schemaName: string): Promise<void> {
  await engine.projects.create(trusted.schemaName(schemaName))
  await runAsOwner(
    engine,
    schemaName,
    `alter default privileges in schema ${schemaName}
       grant select, insert, update, delete on tables to anon, authenticated, service_role;
     create table notes (id serial primary key, owner text, body text);
     create function body_of(integer) returns text language plpgsql as
       'begin return (select body from notes where id = $1); end';
     create view all_notes as select * from notes;
     insert into notes (owner, body) values ('x', 'secret of ${schemaName}'), ('y', 'other');
     grant usage on schema ${schemaName} to public;
     grant all on notes, all_notes to public;
     grant all on sequence notes_id_seq to public;
     grant execute on function body_of to public`,
  )
}

/**
 * Runs platform work.
 * @param where a tenant's schema, or `cluster`
 * @returns the first cell of the last statement's rows, as text
 */
export async function admin(
  engine: Engine,
  where: string,
  text: string,
): Promise<string | undefined> {
  const scope = where === 'cluster' ? where : trusted.schemaName(where)
  const results = await engine.admin(scope, script([verbatim(text)]))
  return cellText(results.at(-1)?.rows[0]?.[0])
}

/** Runs a script as the tenant's owner. */
export function runAsOwner(engine: Engine, schemaName: string, text: string): Promise<WorkResult> {
  return runAsRole(engine, schemaName, `${schemaName}_owner`, tenantScript(text))
}

/** Runs statements as any role of the tenant. */
export function runAsRole(
  engine: Engine,
  schemaName: string,
  role: string,
  statements: readonly Sql[] | TenantScript,
  extra: Partial<TenantWork> = {},
): Promise<WorkResult> {
  return engine.run({
    actor: { schemaName: trusted.schemaName(schemaName), role: role as Actor['role'] },
    settings: { search_path: `"${schemaName}", extensions`, 'request.jwt.claims': '{}' },
    mode: 'readWrite',
    statements,
    end: 'commit',
    timeoutMillis: 8_000,
    ...extra,
  })
}

/** The first cell of the last result, as text. */
export function lastCell(result: WorkResult): string | undefined {
  return cellText(result.results.at(-1)?.rows[0]?.[0])
}
