// A native server with the roles of the platform and projects made by hand, for unit tests of the server engine.
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import type { SchemaName } from '../../emulator/core/names.ts'
import type { EngineChanges } from '../../emulator/database/engine-changes.ts'
import type { EngineProjects } from '../../emulator/database/engine-projects.ts'
import {
  databaseOf,
  LOGIN_KINDS,
  type LoginKind,
  loginRoleOf,
  passwordOf,
} from '../../emulator/database/postgres/connections/logins.ts'
import type { PoolBounds } from '../../emulator/database/postgres/pool/connection-pool.ts'
import { PostgresEngine } from '../../emulator/database/postgres/postgres-engine.ts'
import type { RunningServer } from '../../emulator/database/postgres/server/running-server.ts'
import { script, verbatim } from '../../emulator/database/sql.ts'
import { serverFolder, startTestServer } from './native-server.ts'
import { runAsOwner } from './test-engine.ts'

export interface HandMadeServer {
  readonly server: RunningServer
  openEngine(bounds?: PoolBounds): PostgresEngine
  close(): Promise<void>
}

/** Starts a server that has the shared roles and no project. */
export async function startHandMadeServer(): Promise<HandMadeServer> {
  const folder = serverFolder()
  const server = await startTestServer(folder.path)
  const wallClock = new SystemClock()
  const ids = new SystemIdSource()
  const engines: PostgresEngine[] = []
  const openEngine = (bounds?: PoolBounds): PostgresEngine => {
    const options = { server, wallClock, ids, preciseNow: () => performance.now(), bounds }
    const engine = new PostgresEngine(options, {
      projects: () => NO_PROJECTS,
      changes: () => NO_CHANGES,
    })
    engines.push(engine)
    return engine
  }
  const first = openEngine()
  await first.admin('cluster', script([verbatim(SHARED_ROLES)]))
  return {
    server,
    openEngine,
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()))
      await server.close()
      folder.remove()
    },
  }
}

const byHand = (): never => {
  throw new Error('this project is made by hand')
}
const NO_PROJECTS: EngineProjects = {
  create: byHand,
  rename: byHand,
  drop: byHand,
  list: byHand,
  together: byHand,
}

const NO_CHANGES: EngineChanges = { watch: () => {}, capture: byHand }

/** Creates a project with one table of notes, as `createTestTenant` does in the embedded engine. */
export async function createHandMadeProject(
  engine: PostgresEngine,
  schemaName: SchemaName,
): Promise<void> {
  const { secret, prefix } = engine.server
  const owner = `${schemaName}_owner`
  const all = [owner, 'anon', 'authenticated', 'service_role']
  const rolesOf = (kind: LoginKind): readonly string[] => {
    if (kind === 'rehearsal') return all
    if (kind === 'realtime') return [`rt_${schemaName}`]
    return kind === 'owner' || kind === 'client' ? [owner] : [kind]
  }
  const logins = LOGIN_KINDS.flatMap((kind) => {
    const name = loginRoleOf(prefix, schemaName, kind)
    const roles = rolesOf(kind)
    return [
      `create role "${name}" login noinherit password '${passwordOf(secret, name)}'`,
      `grant ${roles.join(', ')} to "${name}" with inherit false, set true`,
      `alter role "${name}" set role = '${roles[0]}'`,
    ]
  })
  const roles = [owner, `rt_${schemaName}`].map((role) => `create role ${role} nologin noinherit`)
  await engine.admin('cluster', script([...roles, ...logins].map(verbatim)))
  const database = databaseOf(prefix, schemaName)
  await engine.admin('cluster', script([verbatim(`create database ${database}`)]))
  await engine.admin(
    schemaName,
    script([
      verbatim(`create schema ${schemaName}; create schema extensions; grant usage on schema extensions to public;
     grant temporary on database ${database} to ${owner};
     revoke all on schema public from public;
     grant usage, create on schema ${schemaName} to ${owner};
     grant usage on schema ${schemaName} to anon, authenticated, service_role, rt_${schemaName};
     alter default privileges for role ${owner} in schema ${schemaName}
       grant select, insert, update, delete on tables to anon, authenticated, service_role;
     alter default privileges for role ${owner} in schema ${schemaName}
       grant usage on sequences to anon, authenticated, service_role`),
    ]),
  )
  await runAsOwner(
    engine,
    schemaName,
    `create table notes (id serial primary key, owner text, body text);
     create view all_notes as select * from notes;
     insert into notes (owner, body) values ('x', 'secret of ${schemaName}'), ('y', 'other');
     grant all on all tables in schema ${schemaName} to public`,
  )
}

const SHARED_ROLES = `create role anon nologin noinherit; create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls; create role auth_admin nologin noinherit;
create role row_reader nologin inherit bypassrls; grant pg_read_all_data to row_reader`
