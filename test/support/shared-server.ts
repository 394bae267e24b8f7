// Starts one PostgreSQL server for all test files of a run (vitest.config.ts). Each emulator has databases of its own on it.
// TENANTRY_TEST_DATABASE_URL names another server instead.
import { chownSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import pg from 'pg'
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import { CLIENT_CONNECTIONS } from '../../emulator/database/engine-clients.ts'
import {
  clusterVersion,
  ensureCluster,
  PLATFORM_ACCOUNT,
} from '../../emulator/database/postgres/server/native/create-cluster.ts'
import { findNativeServer } from '../../emulator/database/postgres/server/native/find-native-server.ts'
import { findServerAccount } from '../../emulator/database/postgres/server/native/server-account.ts'
import { openServerLog } from '../../emulator/database/postgres/server/native/server-log.ts'
import { startServerProcess } from '../../emulator/database/postgres/server/native/server-process.ts'
import { serverArguments } from '../../emulator/database/postgres/server/native/server-settings.ts'
import { serverFolder } from './native-server.ts'

const VARIABLE = 'TENANTRY_TEST_DATABASE_URL'
/**
 * Enough connections for two workers with several emulators each. Postgres detects deadlocks early, so that tests do not wait for
 * them.
 */
const FOR_TESTS = ['-c', 'max_connections=300', '-c', 'deadlock_timeout=50ms']

let stop: (() => Promise<void>) | undefined

/** Starts the server. vitest calls this function before the first test of a vitest project that uses a server. */
export async function setup(): Promise<void> {
  if (process.env[VARIABLE] !== undefined) return
  const server = await startSharedServer()
  process.env[VARIABLE] = server.url
  stop = server.stop
}

/** Stops the server. vitest calls this function after the last test. */
export async function teardown(): Promise<void> {
  await stop?.()
}

/** Starts a server in a fresh folder. @param settings further arguments of `postgres` */
export async function startSharedServer(
  settings: readonly string[] = FOR_TESTS,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = serverFolder('tenantry-shared-')
  const server = findNativeServer()
  const account = findServerAccount(folder.path)
  if (account !== undefined) chownSync(folder.path, account.uid, account.gid)
  const password = new SystemIdSource().secret('')
  const cluster = await ensureCluster({
    server,
    folder: realpathSync(folder.path),
    password,
    account,
  })
  const port = await freePort()
  const places = { cluster, port, socketFolder: undefined }
  const args = [
    ...serverArguments(
      { ...places, clientConnections: CLIENT_CONNECTIONS },
      clusterVersion(cluster),
    ),
    ...settings,
  ]
  const running = await startServerProcess(
    { server, cluster, args, account },
    { log: openServerLog(folder.path), wallClock: new SystemClock() },
  )
  const url = `postgres://${PLATFORM_ACCOUNT}:${password}@127.0.0.1:${port}/postgres`
  await closeToPublic(url)
  return {
    url,
    stop: async () => {
      await running.stop()
      folder.remove()
    },
  }
}

// Prevents logins of projects from reaching other databases, as on a native server of an emulator.
async function closeToPublic(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('revoke connect on database postgres, template1 from public')
  await client.end()
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const bound = probe.address()
      probe.close(() =>
        typeof bound === 'object' && bound !== null ? resolve(bound.port) : reject(bound),
      )
    })
  })
}
