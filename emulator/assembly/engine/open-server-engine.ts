// Opens the server engine: the native server or the given one, and the engine on it. Loaded only when a server is chosen.
import { join } from 'node:path'
import { SystemIdSource } from '../../core/id-source.ts'
import { openPostgresEngine } from '../../database/postgres/open-postgres-engine.ts'
import { poolBoundsFor } from '../../database/postgres/pool/pool-bounds.ts'
import { forgetDatabases } from '../../database/postgres/server/forget-databases.ts'
import { describeServer } from '../../database/postgres/server/given-server.ts'
import { startNativeServer } from '../../database/postgres/server/native/native-server.ts'
import type { RunningServer } from '../../database/postgres/server/running-server.ts'
import { nameOf } from '../../database/postgres/server/server-url.ts'
import { serverRestoreMark } from '../../database/postgres/states/restore-plan.ts'
import type { ServerEngine } from '../../database/postgres/states/with-states.ts'
import { type KeptEngine, keepServerChoice, requireSameServer } from './engine-choice.ts'
import type { EnginePlan, EngineRuntime, OpenEngine } from './engine-plan.ts'

export interface ServerEnginePlace {
  /** Folder of all data; a temporary one without a data directory. */
  readonly root: string
  /** `undefined` for the native server. */
  readonly databaseUrl: string | undefined
  readonly kept: KeptEngine | undefined
}

/** Decides where the files of a server belong. `start` of the plan opens the engine. */
export function planServerEngine(place: ServerEnginePlace): EnginePlan {
  return {
    mark: serverRestoreMark(statesFolder(place.root)),
    start: ({ runtime }, onClose) => {
      const opening = openServerEngine(place, runtime)
      const opened = opening.catch(() => undefined)
      onClose(async () => (await opened)?.close())
      const engine = opening.then((open) => open.engine)
      // The caller awaits the engine later. Until then, a failure must not count as an unhandled rejection.
      engine.catch(() => undefined)
      return Promise.resolve({ opening: engine })
    },
  }
}

interface Opened {
  readonly engine: OpenEngine
  close(): Promise<void>
}

async function openServerEngine(place: ServerEnginePlace, runtime: EngineRuntime): Promise<Opened> {
  const server = await openServer(place, runtime)
  try {
    keepChoice(server, place, runtime)
    const engine = await openEngineOn(server, place, runtime)
    return { engine, close: () => close(engine, server, runtime) }
  } catch (error) {
    await server.close()
    throw error
  }
}

async function close(
  engine: ServerEngine,
  server: RunningServer,
  { dataDir }: EngineRuntime,
): Promise<void> {
  const leavesNothing = dataDir === undefined && server.prefix !== ''
  try {
    // Drops each project with its roles, because these roles have no prefix by which `forgetDatabases` could find them.
    if (leavesNothing) await engine.dropAll()
  } finally {
    await engine.close()
    try {
      if (leavesNothing) await forgetDatabases(server)
    } finally {
      await server.close()
    }
  }
}

function openEngineOn(
  server: RunningServer,
  { root }: ServerEnginePlace,
  { config, ids, observe, wallClock }: EngineRuntime,
): Promise<ServerEngine> {
  return openPostgresEngine({
    server,
    folder: statesFolder(root),
    wallClock,
    preciseNow: () => performance.now(),
    ids,
    observe,
    bounds: {
      ...poolBoundsFor(server.facts.connectionLimit),
      queueMillis: config.maxQueueMillis,
    },
    clientConnections: config.clientConnections,
  })
}

function openServer(
  { root, databaseUrl }: ServerEnginePlace,
  { config, observe, wallClock }: EngineRuntime,
): Promise<RunningServer> {
  // Passwords never come from the seeded source, because another program could then guess them.
  const ids = new SystemIdSource()
  return databaseUrl === undefined
    ? startNativeServer({
        dataDir: root,
        ids,
        wallClock,
        observe,
        port: config.serverPort,
        clientConnections: config.clientConnections,
      })
    : describeServer({ url: databaseUrl, folder: join(root, 'postgres-server'), ids })
}

function keepChoice(
  { address, facts }: RunningServer,
  { databaseUrl, kept }: ServerEnginePlace,
  { dataDir }: EngineRuntime,
): void {
  if (dataDir === undefined) return
  if (databaseUrl === undefined) {
    keepServerChoice(dataDir, 'native')
    return
  }
  const given = { systemIdentifier: facts.systemIdentifier, place: nameOf(address) }
  requireSameServer(kept, given, dataDir)
  keepServerChoice(dataDir, given)
}

function statesFolder(root: string): string {
  return join(root, 'postgres-server', 'states')
}
