// Starts the native server of a data directory: cluster, port, socket and account. The server stops together with the emulator.
import { chownSync, mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { Clock } from '../../../../core/clock.ts'
import type { IdSource } from '../../../../core/id-source.ts'
import type { Observer } from '../../../../core/observation.ts'
import { CLIENT_CONNECTIONS } from '../../../engine-clients.ts'
import { type KeptServer, keepPort, keepServer, secretBytes } from '../kept-server.ts'
import { type RunningServer, type ServerAddress, ServerError } from '../running-server.ts'
import { readServerFacts } from '../server-facts.ts'
import { clusterOf, clusterVersion, ensureCluster, PLATFORM_ACCOUNT } from './create-cluster.ts'
import { findNativeServer, type NativeServer } from './find-native-server.ts'
import { findServerAccount, letPass, requireWay, type ServerAccount } from './server-account.ts'
import { ServerLife } from './server-life.ts'
import { openServerLog } from './server-log.ts'
import { type ServerProcess, startServerProcess, stopLeftover } from './server-process.ts'
import { serverArguments } from './server-settings.ts'

export interface NativeServerOptions {
  /** The data directory. The caller holds its lock (data-dir-lock.ts). */
  readonly dataDir: string
  /** Source of secrets. Never a seeded one, because other accounts of this machine reach the port. */
  readonly ids: IdSource
  readonly wallClock: Clock
  readonly observe: Observer
  /** The loopback port. Default: a free one, which the data directory keeps. */
  readonly port?: number | undefined
  /** Connections of the user's programs to one project. Default: 25. */
  readonly clientConnections?: number | undefined
  /** Default: the installed package. */
  readonly server?: NativeServer
}

const LOOPBACK = '127.0.0.1'
/** Bytes of a Unix socket's path without its final zero (unix(7): 108 on Linux; 104 on macOS and BSD). */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const LONGEST_PORT = 65_535
/** Errors that soon pass: another program has just taken the port, or processes of a killed server have not ended yet. */
const PASSING_FAILURES =
  /could not create any TCP|Address already in use|is still in use|already exists/
const ATTEMPTS = 20
const PAUSE_MILLIS = 100

/**
 * Creates the cluster on first use, and starts the server.
 * @throws {ServerError} which says what to install or change
 */
export async function startNativeServer(options: NativeServerOptions): Promise<RunningServer> {
  const { dataDir, ids, observe, wallClock, server = findNativeServer() } = options
  const { clientConnections = CLIENT_CONNECTIONS } = options
  const folder = join(realpathSync(dataDir), 'postgres-server')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = keepServer(folder, ids)
  const account = findServerAccount(clusterOf(folder))
  if (account !== undefined) clearWay(account, folder, server)
  const cluster = await ensureCluster({ server, folder, password: kept.password, account })
  const socketFolder = makeSocketFolder(folder, account)
  const log = openServerLog(
    folder,
    new RefusedClients({ clientConnections, observe, wallClock }).onLine,
  )
  const majorVersion = clusterVersion(cluster)
  let port = kept.port
  const start = async (): Promise<ServerProcess> => {
    await stopLeftover(cluster, wallClock)
    return await patiently(wallClock, async () => {
      port = await (options.port === undefined ? freePort(port) : requirePort(options.port))
      keepPort(folder, kept, port)
      const args = serverArguments({ cluster, port, socketFolder, clientConnections }, majorVersion)
      return await startServerProcess({ server, cluster, args, account }, { log, wallClock })
    })
  }
  const life = new ServerLife({ start, wallClock, observe })
  await stayAwake(() => life.begin())
  try {
    const address = (): ServerAddress => addressOf(kept, port ?? 0, socketFolder)
    const facts = await readServerFacts(address())
    return {
      get address() {
        return address()
      },
      get clientAddress() {
        return { host: LOOPBACK, port: port ?? 0 }
      },
      secret: secretBytes(kept),
      prefix: '',
      facts,
      get restarts() {
        return life.restarts
      },
      get down() {
        return life.down
      },
      onDown: (listener) => life.onDown(listener),
      close: () => life.close(),
    }
  } catch (error) {
    await life.close()
    throw error
  }
}

function addressOf(
  { password }: KeptServer,
  port: number,
  socketFolder: string | undefined,
): ServerAddress {
  return {
    host: socketFolder ?? LOOPBACK,
    port,
    user: PLATFORM_ACCOUNT,
    password,
    database: 'postgres',
  }
}

function clearWay(account: ServerAccount, folder: string, { postgres }: NativeServer): void {
  letPass(account, [join(folder, '..'), folder])
  requireWay(account, clusterOf(folder))
  requireWay(account, realpathSync(postgres))
}

/** Returns `undefined` when the socket's path would be too long for the system, and on Windows. */
function makeSocketFolder(folder: string, account: ServerAccount | undefined): string | undefined {
  const path = join(folder, 'socket')
  const longest = Buffer.byteLength(join(path, `.s.PGSQL.${LONGEST_PORT}`))
  if (process.platform === 'win32' || longest > MAX_SOCKET_PATH_BYTES) return undefined
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account !== undefined) chownSync(path, account.uid, account.gid)
  return path
}

/** Returns `wanted` when no program listens on this port, or else a free port. */
async function freePort(wanted: number | undefined): Promise<number> {
  if (wanted === undefined) return await listenOnce(0)
  return await listenOnce(wanted).catch(() => listenOnce(0))
}

async function requirePort(port: number): Promise<number> {
  try {
    return await listenOnce(port)
  } catch (cause) {
    throw new ServerError(
      'server_not_started',
      `Port ${port}, on which PostgreSQL should listen, is in use.`,
      { hint: 'Choose another port, or leave it out.', cause },
    )
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const bound = probe.address()
      probe.close(() => {
        if (bound !== null && typeof bound === 'object') resolve(bound.port)
        else reject(new Error('the system names no port'))
      })
    })
  })
}

async function patiently<Result>(wallClock: Clock, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof ServerError && PASSING_FAILURES.test(error.hint ?? '')
      if (!isPassing || attempt === ATTEMPTS) throw error
      await new Promise<void>((resolve) => {
        wallClock.after(PAUSE_MILLIS, resolve)
      })
    }
}

// Reports clients that PostgreSQL refused because their project already has the maximum number of connections. PostgreSQL's own
// error message cannot name Tenantry's option that raises the limit.
interface RefusedClientsDeps {
  readonly clientConnections: number
  readonly wallClock: Clock
  readonly observe: Observer
}

/** A line of the server's log. Text of a tenant cannot appear at the beginning of a line. */
const REFUSED = /^\S+ \S+ \S+ FATAL: {2}too many connections for role "(.+)\.client"$/
/** Wall-clock milliseconds between two reports. */
const REPORT_EVERY_MILLIS = 60_000

class RefusedClients {
  readonly #deps: RefusedClientsDeps
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(deps: RefusedClientsDeps) {
    this.#deps = deps
  }

  readonly onLine = (line: string): void => {
    const slug = REFUSED.exec(line)?.[1]
    const { clientConnections, observe, wallClock } = this.#deps
    const now = wallClock.now()
    if (slug === undefined || now < this.#reportedAt + REPORT_EVERY_MILLIS) return
    this.#reportedAt = now
    observe({
      kind: 'engineDegraded',
      capability: `a free connection for ${slug}`,
      consequence: `PostgreSQL refused a client, because ${clientConnections} are open. Start with --client-connections and a larger number to admit more.`,
    })
  }
}

// Keeps the process alive during the work. The clock's timers alone would not keep it alive.
async function stayAwake<Result>(work: () => Promise<Result>): Promise<Result> {
  const { port1, port2 } = new MessageChannel()
  port1.ref()
  try {
    return await work()
  } finally {
    port1.close()
    port2.close()
  }
}
