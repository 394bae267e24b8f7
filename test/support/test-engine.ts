// An embedded engine for unit tests of the database, with two tenants made by hand.
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import { trusted } from '../../emulator/core/names.ts'
import type { Observation } from '../../emulator/core/observation.ts'
import { ensureClusterImage } from '../../emulator/database/embedded/cluster/cluster-image.ts'
import {
  openPgliteEngine,
  type PgliteOptions,
} from '../../emulator/database/embedded/pglite-engine.ts'
import {
  type Actor,
  cellText,
  type Engine,
  type TenantWork,
  type WorkResult,
} from '../../emulator/database/engine.ts'
import type { EngineStates } from '../../emulator/database/engine-states.ts'
import type { EngineRehearsals } from '../../emulator/database/rehearsal.ts'
import {
  type Sql,
  script,
  type TenantScript,
  tenantScript,
  verbatim,
} from '../../emulator/database/sql.ts'

export interface OpenedTestEngine {
  readonly engine: Engine & EngineStates & EngineRehearsals
  readonly observed: Observation[]
}

/** Opens an engine in memory unless told otherwise. */
export async function openTestEngine(
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

/** A tenant as the platform makes one, with one table of notes under row-level security. */
export async function createTestTenant(engine: Engine, schemaName: string): Promise<void> {
  await admin(
    engine,
    `create role ${schemaName}_owner nologin noinherit;
     create role rt_${schemaName} nologin noinherit;
     create schema ${schemaName};
     grant usage, create on schema ${schemaName} to ${schemaName}_owner;
     grant usage on schema ${schemaName} to anon, authenticated, service_role, rt_${schemaName};
     alter default privileges for role ${schemaName}_owner in schema ${schemaName}
       grant select, insert, update, delete on tables to anon, authenticated, service_role;
     alter default privileges for role ${schemaName}_owner in schema ${schemaName}
       grant usage on sequences to anon, authenticated, service_role`,
  )
  await runAsOwner(
    engine,
    schemaName,
    `create table notes (id serial primary key, owner text, body text);
     create function body_of(integer) returns text language plpgsql as
       'begin return (select body from notes where id = $1); end';
     create view all_notes as select * from notes;
     insert into notes (owner, body) values ('x', 'secret of ${schemaName}'), ('y', 'other');
     grant usage on schema ${schemaName} to public;
     grant all on all tables in schema ${schemaName} to public;
     grant all on all sequences in schema ${schemaName} to public;
     grant execute on all functions in schema ${schemaName} to public`,
  )
}

export async function admin(engine: Engine, text: string): Promise<void> {
  await engine.admin('cluster', script([verbatim(text)]))
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
