// Connects the services that tenants' applications use (auth, data, storage, realtime) to the foundation.

import type { SocketFaults } from '../core/fault.ts'
import type { Answer } from '../core/plain-http.ts'
import type { ServiceApp } from '../core/request-env.ts'
import { version } from '../core/version.ts'
import { readPast } from '../insight/history/past-reads.ts'
import { STATE_REPLACED } from '../platform/projects/lifecycle.ts'
import { createAuthTables } from '../services/auth/auth-tables.ts'
import type { AuthDeps } from '../services/auth/deps.ts'
import { createSessions } from '../services/auth/sessions/create-sessions.ts'
import { createRecentRotations } from '../services/auth/sessions/recent-rotations.ts'
import { createDataApp } from '../services/data/app.ts'
import { createRealtimeService, type RealtimeService } from '../services/realtime/app.ts'
import { DEFAULT_LIMITS } from '../services/realtime/limits.ts'
import { createChangeJudge } from '../services/realtime/row-changes/judge/judge-by-policies.ts'
import { createChangeSubscriptions } from '../services/realtime/row-changes/subscribe/subscribe-channel.ts'
import type { RealtimeTraffic } from '../services/realtime/traffic.ts'
import { createStorageTokenApp } from '../services/storage/access/token-route.ts'
import type { StorageDeps } from '../services/storage/deps.ts'
import type { Foundation } from './open-foundation.ts'

/** Creates the dependencies of end-user authentication. */
export function authDeps(foundation: Foundation): AuthDeps {
  const { revokedUsers, authSettings, mailbox, stores, verifier, signingKeys, clock, ids } =
    foundation
  const tables = createAuthTables(foundation.engine, clock)
  const recent = createRecentRotations(clock)
  foundation.lifecycle.listen({ stateReplaced: () => recent.forget() })
  return {
    tables,
    sessions: createSessions({ tables, revokedUsers, signingKeys, clock, ids }, recent),
    revokedUsers,
    settings: authSettings,
    outbox: mailbox,
    projects: stores.projects,
    verifier,
    signingKeys,
    clock,
    ids,
  }
}

/** Opens the data plane. */
export function openData(foundation: Foundation): ServiceApp<Answer> {
  const { config, engine, lifecycle, verifier } = foundation
  const { maxBodyBytes, maxResultBytes, statementTimeoutMillis } = config
  return createDataApp({
    engine,
    verifier,
    lifecycle,
    statementTimeoutMillis,
    maxBodyBytes,
    maxResultBytes,
    past:
      config.history === false
        ? undefined
        : { run: (work, instant) => readPast(foundation, work, instant) },
  })
}

/** Opens the route that mints storage tokens. */
export function openStorageTokens(foundation: Foundation): ServiceApp {
  const { clock, signingKeys, storage, stores, verifier } = foundation
  return createStorageTokenApp({
    verifier,
    signingKeys,
    projects: stores.projects,
    usage: storage.buckets,
    clock,
  })
}

/** Creates the dependencies of object storage. */
export function storageDeps(foundation: Foundation): StorageDeps {
  const { storage, stores, revokedUsers, signingKeys, clock, ids } = foundation
  return {
    ...storage,
    projects: stores.projects,
    standings: revokedUsers,
    signingKeys,
    clock,
    ids,
    release: version,
  }
}

/** Opens realtime. Realtime closes the sockets of projects that go offline. */
export function openRealtime(
  foundation: Foundation,
  faults: SocketFaults,
  traffic: RealtimeTraffic,
): RealtimeService {
  const { stores, revokedUsers, signingKeys, lifecycle, clock, wallClock, ids, observe } =
    foundation
  const { engine } = foundation
  const changes = createChangeSubscriptions({
    engine,
    source: foundation.changes,
    judge: createChangeJudge(engine),
    limits: DEFAULT_LIMITS,
    clock,
    wallClock,
    observe,
  })
  const realtime = createRealtimeService({
    signingKeys,
    projects: stores.projects,
    standings: revokedUsers,
    changes,
    faults,
    traffic,
    clock,
    wallClock,
    ids,
    observe,
  })
  lifecycle.listen({
    offline: ({ schemaName }) => realtime.recheck(schemaName),
    keysReplaced: ({ schemaName }) => realtime.recheck(schemaName),
    stateReplaced: () => realtime.closeAll(STATE_REPLACED),
  })
  return realtime
}
