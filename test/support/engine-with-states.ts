// Opens the server engine with its stored states, on a separate native server.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import type { SchemaName } from '../../emulator/core/names.ts'
import type { Observation } from '../../emulator/core/observation.ts'
import { openPostgresEngine } from '../../emulator/database/postgres/open-postgres-engine.ts'
import type { RunningServer } from '../../emulator/database/postgres/server/running-server.ts'
import type { ServerEngine } from '../../emulator/database/postgres/states/with-states.ts'
import { startTestServer } from './native-server.ts'

export interface EngineWithStates {
  readonly engine: ServerEngine
  readonly server: RunningServer
  readonly observed: readonly Observation[]
  /** Returns the settings with which psql connects to a project. */
  clientOf(project: SchemaName): Promise<pg.ClientConfig>
  close(): Promise<void>
}

const PASSWORD = 'the password of psql'

/** @param folder stores the server's data, and the engine's files for its states */
export async function openEngineWithStates(folder: string): Promise<EngineWithStates> {
  const observed: Observation[] = []
  const observe = (observation: Observation): void => {
    observed.push(observation)
  }
  mkdirSync(folder, { recursive: true })
  const server = await startTestServer(folder, observe)
  const engine = await openPostgresEngine({
    server,
    wallClock: new SystemClock(),
    preciseNow: () => performance.now(),
    ids: new SystemIdSource(),
    folder: join(folder, 'states'),
    observe,
  })
  return {
    engine,
    server,
    observed,
    clientOf: async (project) => {
      await engine.clients?.allow(project, PASSWORD)
      const { host, port } = server.clientAddress
      return { host, port, ...engine.clients?.loginOf(project), password: PASSWORD }
    },
    close: async () => {
      await engine.close()
      await server.close()
    },
  }
}
