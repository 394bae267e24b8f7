// createEmulator: a whole platform as a value. Two of them in one process share nothing.

import { buildServices, type Services } from './assembly/build-services.ts'
import { applyAsDeveloper, readyLine } from './assembly/developer.ts'
import { type Foundation, openFoundation } from './assembly/open-foundation.ts'
import {
  createPostgresLogins,
  type PostgresAddress,
  postgresUrlOf,
} from './assembly/postgres-logins.ts'
import { type EmulatorConfig, resolveConfig } from './config.ts'
import type { ReadyLine, ReadyUser } from './contract/addresses.ts'
import { sweepReservations } from './control/sweep.ts'
import type { Observer } from './core/observation.ts'
import type { PlatformClock } from './core/platform-clock.ts'
import { readFixture } from './inspector/fixtures/fixture-file.ts'
import { type ListenOptions, listen } from './server/http.ts'
import { hostInUrl, type Listening } from './server/listening.ts'
import { listenPostgres } from './server/postgres-port.ts'
import { createTestHelpers, type TestHelpers } from './testing/helpers.ts'

export interface PostgresListenOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
}

export interface Emulator extends TestHelpers, AsyncDisposable {
  /** Answers a request without a socket; the URL's host decides as a Host header would. */
  fetch(request: Request): Promise<Response>
  /** Opens the socket. @throws {ListenError} when the port cannot be had */
  listen(options: ListenOptions): Promise<Listening>
  /**
   * Opens a port for psql, graphical clients and migration tools: each project's owner logs in with a password of its own
   * (`ready`). @throws {ListenError} when the port cannot be had
   */
  listenPostgres(options: PostgresListenOptions): Promise<Listening>
  /** Platform time: everything with an expiry, and SQL's `now()`. */
  readonly clock: PlatformClock
  /** Brings the emulator to the state of a fixture folder; what is there stays. @throws {FixtureError} */
  applyFixture(path: string): Promise<void>
  /** Addresses and keys, secrets included, as seen from `origin`. */
  ready(origin: string): Promise<ReadyLine>
  /** Finishes what is running, writes everything out, frees the port and the data directory. */
  close(): Promise<void>
}

/**
 * Opens an emulator. Everything the configuration leaves out has a default (config.ts).
 * @throws {EmulatorError} when the data directory is in use, damaged or not writable, or the configuration is wrong
 */
export async function createEmulator(
  config: EmulatorConfig = {},
  observers: readonly Observer[] = [],
): Promise<Emulator> {
  const foundation = await openFoundation(resolveConfig(config), observers)
  try {
    return await start(foundation)
  } catch (error) {
    await foundation.close()
    throw error
  }
}

async function start(foundation: Foundation): Promise<Emulator> {
  const users = new Map<string, readonly ReadyUser[]>()
  const usersOf = (slug: string): readonly ReadyUser[] => users.get(slug) ?? []
  let postgres: PostgresAddress | undefined
  const services: Services = buildServices(
    foundation,
    (env) => readyLine(foundation, services.control, env.addresses.authUrl, usersOf, postgres),
    (project) =>
      postgres === undefined ? undefined : postgresUrlOf(foundation, project, postgres),
  )
  const logins = createPostgresLogins(foundation)
  const { control, fetch, openUpgrader, endStreams } = services
  await sweepReservations(control)

  const sockets: Listening[] = []
  let origin = 'http://127.0.0.1'
  let closing: Promise<void> | undefined
  async function shut(): Promise<void> {
    await endStreams()
    for (const socket of sockets) await socket.close()
    await foundation.close()
  }
  const close = (): Promise<void> => {
    closing ??= shut()
    return closing
  }
  return {
    ...createTestHelpers({
      get origin() {
        return origin
      },
      send: (request) => fetch(request),
      adminToken: foundation.config.adminToken,
    }),
    fetch: (request) => fetch(request),
    clock: foundation.clock,
    listen: async (options) => {
      const socket = await listen(fetch, openUpgrader(), options)
      sockets.push(socket)
      origin = `http://${hostInUrl(socket.host)}:${socket.port}`
      return socket
    },
    listenPostgres: async (options) => {
      const { clock, wallClock, ids, observe } = foundation
      const socket = await listenPostgres({ logins, clock, wallClock, ids, observe }, options)
      sockets.push(socket)
      postgres = { host: hostInUrl(socket.host), port: socket.port }
      return socket
    },
    applyFixture: async (path) => {
      const fixture = readFixture(path)
      await applyAsDeveloper(foundation, control, fetch, fixture)
      for (const tenant of fixture.groups.flatMap((group) => group.tenants))
        users.set(
          tenant.slug,
          tenant.users.map(({ email, password }) => ({ email, password })),
        )
    },
    ready: (origin) => readyLine(foundation, control, origin, usersOf, postgres),
    close,
    [Symbol.asyncDispose]: close,
  }
}
