// Runs the emulator in the foreground: opens it, prints its addresses and closes it on a signal. This code has its own file: it
// imports the whole emulator, and other commands start faster without these imports.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { ConfigError, type EmulatorConfig } from '../../../assembly/config.ts'
import { collectDeadMemory } from '../../../assembly/engine/engine-code.ts'
import type { BareEmulator } from '../../../assembly/library/emulator.ts'
import { SystemClock } from '../../../core/clock.ts'
import { isLoopbackHost } from '../../../core/loopback.ts'
import type { Observer } from '../../../core/observation.ts'
import { toIso } from '../../../core/time.ts'
import { ListenError, openPort } from '../../../server/listening.ts'
import { configOf, type EmulatorOptions } from '../../emulator-options.ts'
import { enlist, requireFreeName } from '../../machine-list.ts'
import { type OpenedWithFixture, openWithFixture } from '../../open-with-fixture.ts'
import { greeting, logTo } from '../../report.ts'
import { keptLines } from '../../row-changes.ts'
import { announce, isFoundHere, type ReadyMessage } from '../../run-file.ts'
import { outliveOutput, stopOnSignals } from '../../stop-on-signals.ts'
import { terminal } from '../../terminal.ts'
import { type FolderFollower, followFolder } from '../dev/follow-folder.ts'
import { onRebuildKey } from '../dev/rebuild-key.ts'
import { makeEngineCodeLater } from './engine-code-later.ts'
import { releaseMemoryWhenIdle } from './idle-memory.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface StartOptions extends EmulatorOptions {
  readonly port: number | 'auto'
  readonly host: string
  /** When `undefined`, the Postgres port is the port after `port`. */
  readonly postgresPort: number | 'none' | undefined
  readonly dataDir: string
  readonly trustDataDir?: boolean
  readonly memory: boolean
  readonly publicUrl: string | undefined
  readonly adminToken: string | undefined
  readonly maxBlocking: number | undefined
  readonly maxQueue: number | undefined
  readonly engineMemory: number | undefined
  readonly clientConnections: number | undefined
  /** In bytes. When `undefined`, the configuration's default applies. */
  readonly maxBody: number | undefined
  /** In bytes. When `undefined`, the configuration's default applies. */
  readonly maxResult: number | undefined
  /** Whether row changes are recorded. */
  readonly history: boolean
  /** In megabytes. When `undefined`, the configuration's default applies. */
  readonly historySize: number | undefined
  readonly historyDays: number | undefined
  readonly detach: boolean
  readonly json: boolean
  /** Whether the first application of a followed folder may lose rows. */
  readonly rebuild?: boolean
}

/**
 * Returns when a signal has ended the emulator.
 * @param followed absolute path of an application's folder, which is applied again after each save
 * @throws {EmulatorError}
 */
export async function runEmulator(options: StartOptions, followed?: string): Promise<void> {
  if (!isLoopbackHost(options.host) && options.adminToken === undefined)
    throw new ConfigError(
      `Listening on ${options.host} opens the emulator to other machines: give --admin-token as well.`,
    )
  requireFreeName(options.name)
  outliveOutput()
  markStage('code of the command loaded')
  const wallClock = new SystemClock()
  const startedAt = wallClock.now()
  const { stderr, stdin } = terminal()
  const log = logTo(stderr, options.log)
  // Logs failures that no other code reports. Background work normally reports its own failures.
  terminal().on('unhandledRejection', (error) =>
    log({ kind: 'internalFailure', requestId: 'background', error }),
  )
  const memory = releaseMemoryWhenIdle({ wallClock, collect: collectDeadMemory })
  const observe: Observer = (observation) => {
    memory.noteUse()
    log(observation)
  }
  await requirePort(options)
  const opened = await openWithFixture(startConfig(options), options, observe, {
    onStage: markStage,
    afterInterrupt: 'The emulator did not start. Data of earlier starts is unchanged.',
  })
  const { emulator } = opened
  markStage('services ready')
  let follower: FolderFollower | undefined
  const close = (): Promise<void> => {
    follower?.close()
    return emulator.close()
  }
  const stopped = stopOnSignals({ close }, wallClock)
  try {
    if (followed !== undefined) follower = startFollowing(emulator, followed, options, wallClock)
    const applyFixture = follower ? follower.applyFirst : () => applyAndTell(opened)
    const begun: Begun = {
      at: toIso(startedAt),
      elapsedMillis: () => wallClock.now() - startedAt,
      command: follower ? 'dev' : 'start',
    }
    await open({ emulator, applyFixture, fixture: followed ?? opened.fixture }, options, begun)
    if (follower) {
      follower.start()
      onRebuildKey(stdin, follower.rebuild)
    }
    makeEngineCodeLater(wallClock)
  } catch (error) {
    await close()
    throw error
  }
  await stopped
}

function startFollowing(
  emulator: BareEmulator,
  folder: string,
  { json, rebuild = false, seedData }: StartOptions,
  wallClock: SystemClock,
): FolderFollower {
  const { stderr, stdout } = terminal()
  return followFolder(emulator, {
    folder,
    json,
    rebuilds: rebuild,
    seedData,
    wallClock,
    print: (line) => stdout.write(`${line}\n`),
    complain: (line) => stderr.write(`${line}\n`),
  })
}

// Node's profilers and `npm run bench -- --profile` show these marks.
function markStage(stage: string): void {
  performance.mark(`tenantry: ${stage}`)
}

interface Begun {
  /** ISO 8601, wall-clock time. */
  readonly at: string
  readonly elapsedMillis: () => number
  readonly command: 'start' | 'dev'
}

/** Applies the fixture, and prints which existing rows it did not change although the fixture has changed. */
async function applyAndTell({ applyFixture }: OpenedWithFixture): Promise<void> {
  const report = await applyFixture()
  for (const line of report === undefined ? [] : keptLines(report.rows))
    terminal().stderr.write(`tenantry: ${line}\n`)
}

interface Opened extends Pick<OpenedWithFixture, 'emulator' | 'fixture'> {
  readonly applyFixture: () => Promise<void>
}

async function open(
  { applyFixture, emulator, fixture }: Opened,
  options: StartOptions,
  { at, command, elapsedMillis }: Begun,
): Promise<void> {
  const { port } = await listen(emulator, options)
  await openPostgres(emulator, options, port)
  markStage('ports open')
  await applyFixture()
  markStage('fixture applied')
  const ready = await emulator.ready()
  markStage('keys and addresses ready')
  const own = terminal()
  const isDetached = own.send !== undefined
  const { origin } = new URL(ready.inspector_url)
  if (isDetached || !options.memory) announce(options.dataDir, origin)
  enlist({
    url: origin,
    folder: process.cwd(),
    data_dir: ready.data_dir,
    fixture: fixture ?? null,
    name: options.name ?? null,
    command,
    started_at: at,
  })
  if (isDetached) {
    own.send?.({ ready, startedIn: elapsedMillis() } satisfies ReadyMessage)
    return
  }
  own.stdout.write(
    options.json
      ? `${JSON.stringify(ready)}\n`
      : greeting({ ready, startedInMillis: elapsedMillis(), isFoundHere: isFoundHere(options) }),
  )
}

// A first start that cannot listen must not create a data directory, because the next start would use that directory's engine.
// Skips the check for an existing directory: the error that names its running emulator is more useful.
async function requirePort({ dataDir, host, memory, port }: StartOptions): Promise<void> {
  if (port === 'auto' || port === 0 || memory || existsSync(dataDir)) return
  const probe = createServer()
  await openPort(probe, { port, host }, '--port')
  await new Promise((resolve) => probe.close(resolve))
}

// With `auto`, tries the next port when another program uses a port.
async function listen(
  emulator: BareEmulator,
  { dataDir, host, memory, port }: StartOptions,
): Promise<{ readonly port: number }> {
  const folder = memory ? process.cwd() : resolve(dataDir)
  const [first = 0, ...others] = port === 'auto' ? automaticPorts(folder) : [port]
  const listenAt = (one: number) => emulator.listen({ port: one, host, ownsProcess: true })
  let listening = listenAt(first)
  for (const other of others)
    listening = listening.catch((error: unknown) => {
      if (error instanceof ListenError && error.code === 'port_taken') return listenAt(other)
      throw error
    })
  return await listening
}

// By default uses the port after the HTTP port, or any free port when another program uses that port. Fails only when a port from
// the command line is not free.
async function openPostgres(
  emulator: BareEmulator,
  { host, port, postgresPort }: StartOptions,
  httpPort: number,
): Promise<void> {
  if (postgresPort === 'none') return
  if (postgresPort !== undefined) await emulator.listenPostgres({ port: postgresPort, host })
  else await emulator.listenPostgres({ near: port === 0 ? 0 : httpPort + 1, host })
}

function startConfig(options: StartOptions): EmulatorConfig {
  const { maxBlocking, maxQueue, postgresPort } = options
  return {
    ...configOf(options),
    dataDir: options.memory ? undefined : options.dataDir,
    trustDataDir: options.trustDataDir,
    publicUrl: options.publicUrl,
    adminToken: options.adminToken,
    maxBlockingMillis: maxBlocking && Math.round(maxBlocking * 1_000),
    maxQueueMillis: maxQueue && Math.round(maxQueue * 1_000),
    engineMemoryMegabytes: options.engineMemory,
    clientConnections: options.clientConnections,
    serverPort: postgresPort === 'none' ? undefined : postgresPort || undefined,
    maxBodyBytes: options.maxBody,
    maxResultBytes: options.maxResult,
    history: options.history && { megabytes: options.historySize, days: options.historyDays },
  }
}

// The ports of `--port auto` are derived from a folder's path, so that each working copy keeps its own address. Pure.
// All ports are below the ports that operating systems give to clients (Linux: from 32768).
const FIRST = 20_000
const PAIRS = 6_000
const TRIES = 20

/**
 * Returns the ports to try, in order. Every port is even, because the following odd port is for Postgres clients.
 * @param folder absolute path
 */
function automaticPorts(folder: string): readonly number[] {
  const start = createHash('sha256').update(folder).digest().readUInt32BE(0) % PAIRS
  return Array.from({ length: TRIES }, (_, step) => FIRST + 2 * ((start + step) % PAIRS))
}
