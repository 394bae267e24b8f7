// A whole platform as an object, without the test helpers (create-emulator.ts). Two platforms in one process share nothing.

import type { ReadyLine, ReadyUser } from '../../contract/addresses.ts'
import type { FixtureReport, FollowReport } from '../../contract/fixtures.ts'
import type { FollowedFolder } from '../../contract/overview.ts'
import type { ResetAnswer, Snapshot } from '../../contract/snapshots.ts'
import type { Observer } from '../../core/observation.ts'
import type { PostgresLogins } from '../../core/postgres-session.ts'
import { readyLine } from '../../insight/project-tools/ready-line.ts'
import { createPostgresLogins } from '../../platform/postgres-logins/postgres-logins.ts'
import { createPostgresUrls } from '../../platform/postgres-logins/postgres-urls.ts'
import { type ListenOptions, listen } from '../../server/http.ts'
import { hostInUrl, ListenError, type Listening, LOOPBACK } from '../../server/listening.ts'
import { listenPostgres, postgresUrl } from '../../server/postgres-port.ts'
import { sweepReservations } from '../../services/control/projects/sweep.ts'
import type { GivenBundle, Past } from '../../workflow/bundles/past.ts'
import type { FollowOrder } from '../../workflow/fixtures/follow/follower.ts'
import type { DefinedFixture } from '../../workflow/fixtures/read/define-fixture.ts'
import type { Fixture } from '../../workflow/fixtures/read/fixture.ts'
import { FixtureError } from '../../workflow/fixtures/read/fixture-error.ts'
import type { Services } from '../build-services.ts'
import { type EmulatorConfig, resolveConfig } from '../config.ts'
import { readyDeps } from '../control-service.ts'
import { type Foundation, openFoundation } from '../open-foundation.ts'
import { openConfiguredTelemetry } from '../open-telemetry.ts'
import { startError } from '../start-error.ts'
import type { EmulatorClock } from './public-types.ts'

/** Address of the Postgres port. */
export interface PostgresListenOptions {
  /** Default: 0, which means any free port. */
  readonly port?: number
  /** A port to take when it is free, or else any free one. `port` wins. */
  readonly near?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
}

/** Options of `snapshot`. */
export interface SnapshotOptions {
  /** Text that lists of snapshots show. */
  readonly note?: string
  /** Whether a snapshot of the same name is overwritten (default: false). */
  readonly replace?: boolean
}

/** The methods of the public library, without the test helpers. */
export interface EmulatorMethods extends AsyncDisposable {
  /** Answers a request without a socket. The URL's host selects the service, as a Host header would. */
  fetch(request: Request): Promise<Response>
  /** Opens the HTTP port. @throws {ListenError} when the port is unavailable */
  listen(options?: ListenOptions): Promise<Listening>
  /**
   * Opens a port for psql, graphical clients and migration tools. Each project's owner logs in with its own password (see
   * `ready`). With a server as the engine it opens nothing, and returns where the server listens.
   * @throws {ListenError} when the port is unavailable
   */
  listenPostgres(options?: PostgresListenOptions): Promise<Listening>
  /** Platform time, which every expiry uses. SQL's `now()` follows it in the embedded engine only. */
  readonly clock: EmulatorClock
  /**
   * Brings the emulator to the state of a fixture. `fixture` is a folder, a `fixture.yaml`, a bundle, the name of a fixture in
   * the package, or the result of `defineFixture`. Applies it completely or not at all. Existing data is kept.
   * @throws {FixtureError} naming every problem with file and line
   */
  applyFixture(fixture: string | DefinedFixture): Promise<FixtureReport>
  /** Saves the whole platform under a name. `replace` overwrites a snapshot of that name. @throws {EmulatorError} */
  snapshot(name: string, options?: SnapshotOptions): Promise<Snapshot>
  /** Restores the whole platform from a snapshot. @throws {EmulatorError} when there is no such snapshot */
  restore(name: string): Promise<Snapshot>
  /**
   * Restores the state after the last fixture, or after the start; for use between tests. With `to: 'fixture'`, drops everything that
   * was made by hand, and applies the fixtures again. @throws {EmulatorError} when running requests do not end, or no fixture can be
   * applied
   */
  reset(options?: { readonly to?: 'start' | 'fixture' }): Promise<ResetAnswer>
  /** Returns addresses and keys, secrets included, as seen from `origin` (default: the URL of the last `listen`). */
  ready(origin?: string): Promise<ReadyLine>
  /** Finishes running requests, writes all data, and frees the port and the data directory. */
  close(): Promise<void>
}

/** An emulator with the additional members that the command line and the test helpers use. */
export interface BareEmulator extends EmulatorMethods {
  /** Also takes the result of `readAhead`. @throws {FixtureError} */
  applyFixture(fixture: string | DefinedFixture | Fixture): Promise<FixtureReport>
  /**
   * Brings the emulator to the saved state of an application's folder, for `tenantry dev`. Tries changed steps first. When a save
   * would lose rows, applies it only after a further call that consents to the losses.
   */
  followFixture(fixture: string, order: FollowOrder): Promise<FollowReport>
  /** States whether the folder that `followFixture` follows can be watched. Health and the overview show this state. */
  noteWatch(watch: FollowedFolder): void
  /** Address and token that the test helpers use. `origin` is the address of the last `listen`. */
  readonly platform: {
    readonly origin: string
    readonly adminToken: string | undefined
    send(request: Request): Promise<Response>
  }
}

export interface OpeningOptions {
  /** Called when a stage of the opening has ended. */
  readonly onStage?: ((stage: string) => void) | undefined
  /** Whether the caller will apply the demo. If so, a new data directory starts with the prepared schemas of the demo. */
  readonly expectsDemo?: boolean
  /** Path of a prepared image that a new data directory starts from, instead of the demo's. */
  readonly preparedImage?: string | undefined
  /** The bundle whose state is in the data directory (open-bundle.ts). */
  readonly bundle?: GivenBundle
}

/**
 * Opens an emulator. Defaults of the configuration are in config.ts.
 * @throws {EmulatorError} when the data directory is in use, damaged or not writable, or the configuration is wrong
 */
export async function openEmulator(
  config: EmulatorConfig,
  observers: readonly Observer[] = [],
  { bundle, expectsDemo = false, onStage = () => {}, preparedImage }: OpeningOptions = {},
): Promise<BareEmulator> {
  const resolved = resolveConfig(config)
  const { observe } = resolved
  try {
    const opening = openFoundation(resolved, observe ? [observe, ...observers] : observers, {
      preparedImage: preparedImage ?? (expectsDemo ? 'demo' : undefined),
      platformTime: bundle?.platformTime,
    })
    // Loads the code of the services in this thread, while the engine starts in its own thread.
    const loading = import('../build-services.ts')
    const foundation = await opening
    onStage('engine and records open')
    try {
      const services = await loading
      onStage('code of the services loaded')
      return await start(foundation, services, bundle)
    } catch (error) {
      await foundation.close().catch(() => undefined)
      throw error
    }
  } catch (error) {
    throw startError(error, resolved.dataDir)
  }
}

/** Reads a fixture. Call it while the emulator opens, when the main thread has little to do. @throws {FixtureError} */
export async function readAhead(fixture: string, seedData?: string): Promise<Fixture> {
  const { readGiven } = await import('../../workflow/fixtures/fixtures.ts')
  return readGiven(fixture, seedData)
}

async function pastOf(foundation: Foundation, bundle: GivenBundle): Promise<Past> {
  const { openPast } = await import('../../workflow/bundles/past.ts')
  return openPast({ ...foundation, ...foundation.stores }, bundle)
}

async function start(
  foundation: Foundation,
  { buildServices }: typeof import('../build-services.ts'),
  bundle: GivenBundle | undefined,
): Promise<BareEmulator> {
  const usersOf = (slug: string): readonly ReadyUser[] => services.fixtures.usersOf(slug)
  const loginDeps = { ...foundation, ...foundation.stores }
  const postgres = createPostgresUrls(loginDeps)
  const ready = (from: string): Promise<ReadyLine> =>
    readyLine(readyDeps(foundation, services.control), from, usersOf, postgres.address)
  const services: Services = buildServices(
    foundation,
    (env) => ready(env.addresses.authUrl),
    (project) => postgres.urlOf(project),
    bundle && (await pastOf(foundation, bundle)),
  )
  const logins = createPostgresLogins(loginDeps)
  const { control, edge, fetch, openUpgrader, inspection, refusals, snapshots, fixtures } = services
  const { revision } = foundation.db
  const telemetry = await openConfiguredTelemetry(foundation, inspection.recordings)
  await sweepReservations(control)
  await fixtures.sweep()
  // The engine's first baseline lacks a bundle's projects, because they were built later.
  if (bundle !== undefined || foundation.db.revision !== revision) await snapshots.setBaseline()

  const sockets: Listening[] = []
  let origin = 'http://127.0.0.1'
  let closing: Promise<void> | undefined
  async function shut(): Promise<void> {
    const parts = [refusals, inspection.feed, ...sockets, telemetry, foundation]
    for (const part of parts) await part.close()
  }
  const close = (): Promise<void> => (closing ??= shut())
  return {
    platform: {
      get origin() {
        return origin
      },
      send: fetch,
      adminToken: foundation.config.adminToken,
    },
    fetch,
    clock: foundation.clock,
    listen: async (options = {}) => {
      const socket = await listen(edge, openUpgrader(), options)
      sockets.push(socket)
      origin = socket.url
      return socket
    },
    listenPostgres: async (options = {}) => {
      if (postgres.isServer && postgres.address !== undefined)
        return { ...postgres.address, url: postgresUrl(postgres.address), close: async () => {} }
      const socket = await openPostgres(foundation, logins, options)
      sockets.push(socket)
      postgres.onOpened({ host: hostInUrl(socket.host), port: socket.port })
      return socket
    },
    applyFixture: async (fixture) => {
      const report = await fixtures.apply(fixture)
      if (!report.applied) throw new FixtureError(report.problems)
      return report
    },
    followFixture: (fixture, order) => fixtures.follow(fixture, order),
    noteWatch: inspection.watch.note,
    snapshot: (name, options = {}) => snapshots.save({ name, ...options }),
    restore: (name) => snapshots.restore(name),
    reset: (options) => snapshots.reset(options?.to),
    ready: async (from = origin) => ready(from),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function openPostgres(
  { clock, wallClock, ids, observe }: Foundation,
  logins: PostgresLogins,
  { host = LOOPBACK.host, near, port }: PostgresListenOptions,
): Promise<Listening> {
  const open = (wanted: number): Promise<Listening> =>
    listenPostgres({ logins, clock, wallClock, ids, observe }, { host, port: wanted })
  if (port !== undefined || near === undefined) return open(port ?? LOOPBACK.port)
  try {
    return await open(near)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    return open(LOOPBACK.port)
  }
}
