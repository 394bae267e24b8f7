// Native servers for tests: in fresh folders, stopped and removed at the end.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import type { Observer } from '../../emulator/core/observation.ts'
import { findNativeServer } from '../../emulator/database/postgres/server/native/find-native-server.ts'
import { startNativeServer } from '../../emulator/database/postgres/server/native/native-server.ts'
import { findServerAccount } from '../../emulator/database/postgres/server/native/server-account.ts'
import { openServerLog } from '../../emulator/database/postgres/server/native/server-log.ts'
import { startServerProcess } from '../../emulator/database/postgres/server/native/server-process.ts'
import type {
  RunningServer,
  ServerAddress,
} from '../../emulator/database/postgres/server/running-server.ts'

/** Why tests of the native server are skipped on this machine, or `undefined`. */
export const noNativeServer: string | undefined = whyNot()

function whyNot(): string | undefined {
  try {
    findNativeServer()
    return undefined
  } catch (error) {
    return String(error)
  }
}

// Prefers a folder in memory, because each database has about 300 files. Some disks need a second to create so many files, and
// memory needs a hundredth of that.
const PLACE = ['/dev/shm', '/var/tmp'].find((path) => existsSync(path)) ?? tmpdir()

/** Creates a data directory. `remove` deletes it. */
export function serverFolder(name = 'tenantry-server-'): { path: string; remove(): void } {
  const path = mkdtempSync(join(PLACE, name))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts the native server of a data directory. */
export function startTestServer(
  dataDir: string,
  observe: Observer = () => {},
  port?: number,
): Promise<RunningServer> {
  return startNativeServer({
    dataDir,
    ids: new SystemIdSource(),
    wallClock: new SystemClock(),
    observe,
    port,
  })
}

/** Runs statements in one connection and returns the first column of the last result's first row. */
export async function ask(address: ServerAddress, text: string): Promise<unknown> {
  const client = new pg.Client({ ...address })
  await client.connect()
  try {
    const answer: unknown = await client.query({ text, rowMode: 'array' })
    const last = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: unknown[][] }
    return last.rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** Starts a server of an older PostgreSQL version from the folder with its programs. */
export async function startOldServer(
  programs: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { path, remove } = serverFolder()
  const account = findServerAccount(path)
  if (account !== undefined) chownSync(path, account.uid, account.gid)
  const as = account === undefined ? {} : { uid: account.uid, gid: account.gid }
  const cluster = join(path, 'cluster')
  execFileSync(join(programs, 'initdb'), ['-D', cluster, '--no-sync', '-U', 'old', '-A', 'trust'], {
    ...as,
    stdio: 'ignore',
  })
  const log = openServerLog(path)
  const server = {
    initdb: '',
    postgres: join(programs, 'postgres'),
    controlProgram: '',
    libraries: '',
  }
  const args = ['-D', cluster, '-c', 'listen_addresses=', '-k', path, '-F']
  const running = await startServerProcess(
    { server, cluster, args, account },
    { log, wallClock: new SystemClock() },
  )
  return {
    url: `postgres://old@/postgres?host=${encodeURIComponent(path)}`,
    stop: async () => {
      await running.stop()
      remove()
    },
  }
}
