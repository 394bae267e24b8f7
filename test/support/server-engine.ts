// Opens the server engine on a separate native server, for unit tests.
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import type { SchemaName } from '../../emulator/core/names.ts'
import type { PoolBounds } from '../../emulator/database/postgres/pool/pool-bounds.ts'
import { PostgresEngine } from '../../emulator/database/postgres/postgres-engine.ts'
import type { RunningServer } from '../../emulator/database/postgres/server/running-server.ts'
import { serverFolder, startTestServer } from './native-server.ts'
import { runAsOwner } from './test-engine.ts'

export interface TestServer {
  readonly server: RunningServer
  openEngine(bounds?: PoolBounds): Promise<PostgresEngine>
  close(): Promise<void>
}

export async function startServerForEngines(): Promise<TestServer> {
  const folder = serverFolder()
  const server = await startTestServer(folder.path)
  const runtime = {
    server,
    wallClock: new SystemClock(),
    ids: new SystemIdSource(),
    preciseNow: () => performance.now(),
  }
  const engines: PostgresEngine[] = []
  return {
    server,
    openEngine: async (bounds) => {
      const engine = new PostgresEngine({ ...runtime, bounds })
      engines.push(engine)
      await engine.prepare()
      return engine
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()))
      await server.close()
      folder.remove()
    },
  }
}

/** Creates a project with a table `notes` that every role may read and write. */
export async function createNotes(engine: PostgresEngine, schemaName: SchemaName): Promise<void> {
  await engine.projects.create(schemaName)
  await runAsOwner(
    engine,
    schemaName,
    `create table notes (id serial primary key, owner text, body text);
     insert into notes (owner, body) values ('x', 'secret of ${schemaName}'), ('y', 'other');
     alter table notes disable row level security;
     grant all on notes, notes_id_seq to public`,
  )
}
