// Builds the services over the foundation and mounts them behind the edge.
import { createAuthApp } from '../auth/app.ts'
import { createUserManagement } from '../auth/users/manage-users.ts'
import { findUser } from '../auth/users/users.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import { createControlApp } from '../control/app.ts'
import type { ControlDeps } from '../control/deps.ts'
import { createSqlExecutor } from '../control/sql-console/execute-sql.ts'
import { packageFile } from '../core/package-files.ts'
import type { RequestEnv } from '../core/request-env.ts'
import { createProjectKeyMint } from '../credentials/project-key.ts'
import { createSessionTokenMint } from '../credentials/session-tokens.ts'
import { createDataApp } from '../data/app.ts'
import { createSchemaBuilder } from '../database/template/schema-builder.ts'
import { createInspectorApp, type InspectorDeps } from '../emulator-api/app.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { FREE_PLAN_STORAGE_BYTES } from '../projects/quotas.ts'
import { createRealtimeTokenApp } from '../realtime/tokens/token-route.ts'
import { createEdge, type EdgeFetch } from '../server/edge.ts'
import { createOriginRule } from '../server/origins.ts'
import type { TrafficGate } from '../server/traffic-gate.ts'
import { createUpgrader, type Upgrader } from '../server/upgrade.ts'
import { createWellKnownApp } from '../server/well-known.ts'
import { isFreeOfStates } from '../snapshots/routes.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import { createStorageTokenApp } from '../storage/access/token-route.ts'
import { createStorageApp } from '../storage/app.ts'
import type { StorageUsage } from '../storage/buckets/bucket-store.ts'
import { authDeps } from './auth-service.ts'
import { openFaults } from './fault-service.ts'
import { openFixtures } from './fixture-service.ts'
import { openInspection } from './inspection.ts'
import { explainDeps, tableDeps, tokenDeps } from './inspector-service.ts'
import { liveDeps } from './live-service.ts'
import type { Foundation } from './open-foundation.ts'
import { createPlatformBuckets } from './platform-buckets.ts'
import { openRealtime } from './realtime-service.ts'
import { openSnapshots, openStateGate } from './snapshots/snapshots.ts'
import { storageDeps } from './storage-service.ts'
import { whyDeps } from './why-service.ts'

export interface Services {
  readonly fetch: EdgeFetch
  /** The sockets of one more listening address. */
  readonly openUpgrader: () => Upgrader
  /** What the control plane's commands work with, for start-up tasks. */
  readonly control: ControlDeps
  readonly snapshots: Snapshots
  /** Ends the streams of whoever watches. */
  readonly endStreams: () => Promise<void>
  /** Injected faults; fixtures arm them and a reset disarms them. */
  readonly faults: FaultBook
  readonly fixtures: Fixtures
}

/** @param info states addresses and keys for GET /_emulator/v1/info */
export function buildServices(
  foundation: Foundation,
  info: (env: RequestEnv) => Promise<ReadyLine>,
  postgresUrl: ControlDeps['postgresUrl'],
): Services {
  const { config, clock, wallClock, ids, observe, engine, stores, verifier, signingKeys } =
    foundation
  const control = controlDeps(foundation, postgresUrl)
  const auth = authDeps(foundation)
  const data = createDataApp({
    engine,
    verifier,
    lifecycle: foundation.lifecycle,
    statementTimeoutMillis: config.statementTimeoutMillis,
    maxBodyBytes: config.maxBodyBytes,
    maxResultBytes: config.maxResultBytes,
  })
  const faults = openFaults(foundation)
  const realtime = openRealtime(foundation, faults.sockets)
  const inspection = openInspection(foundation, faults)
  const { recordings } = inspection
  const fixtures = settingBaselines(
    openFixtures(foundation, { control, faults, feed: inspection.feed }),
    () => snapshots.setBaseline(),
  )
  const tokens = tokenDeps(foundation, auth, recordings)
  const explain = explainDeps(foundation, tokens)
  const gate = openStateGate(foundation)
  const snapshots = openSnapshots(foundation, {
    gate,
    control,
    faults,
    forgetPast: () => {
      foundation.journal.clear()
      recordings.clear()
      inspection.changes.clear()
    },
  })
  const fetch: EdgeFetch = createEdge({
    mounts: {
      control: gate.guard(createControlApp(control)),
      auth: gate.guard(createAuthApp(auth)),
      data: gate.guard(data),
      storageToken: createStorageTokenApp({
        verifier,
        signingKeys,
        projects: stores.projects,
        usage: usageOf(foundation),
        clock,
      }),
      storage: gate.guard(createStorageApp(storageDeps(foundation))),
      realtime: gate.guard(realtime.app),
      realtimeToken: createRealtimeTokenApp({ verifier, signingKeys, clock }),
      wellKnown: createWellKnownApp(signingKeys),
      emulator: guardInspector(gate, {
        adminToken: config.adminToken,
        ...liveDeps(foundation, {
          auth,
          inspection,
          realtime,
          fetch: (request, wire, onId) => fetch(request, wire, onId),
        }),
        projects: stores.projects,
        principals: {
          signingKeys,
          projectKeyMint: control.credentials.projectKeys,
          findUser: (schemaName, reference) => findUser(auth.tables, schemaName, reference),
          ids,
          clock,
        },
        tokens,
        why: whyDeps(foundation, auth, recordings, { tokens, explain: explain.explain, faults }),
        explain,
        tables: tableDeps(foundation, tokens),
        mailbox: foundation.mailbox,
        authSettings: foundation.authSettings,
        users: createUserManagement(auth),
        s3Keys: foundation.storage.s3.keys,
        clock,
        wallClock,
        uiFolder: packageFile('dist', 'ui'),
        info,
        faults,
        fixtures,
        snapshots,
      }),
    },
    publicUrl: config.publicUrl,
    admitsOrigin: createOriginRule({
      allowed: config.allowOrigins,
      publicUrl: config.publicUrl,
      trustsHost: config.adminToken !== undefined,
    }),
    clock,
    wallClock,
    ids,
    observe,
    recorder: recordings,
    faults: { requests: faults.requests, situations: foundation.situations },
  })
  const openUpgrader = () =>
    createUpgrader({
      mounts: { realtime: realtime.sockets },
      clock,
      wallClock,
      ids,
      observe,
      faults: faults.requests,
    })
  return {
    fetch,
    openUpgrader,
    control,
    snapshots,
    endStreams: () => inspection.feed.close(),
    faults,
    fixtures,
  }
}

// What a fixture made is what a reset leads back to.
function settingBaselines(fixtures: Fixtures, setBaseline: () => Promise<void>): Fixtures {
  return {
    ...fixtures,
    apply: async (given) => {
      const report = await fixtures.apply(given)
      if (report.applied) await setBaseline()
      return report
    },
  }
}

// What changes the whole state, or sends requests of its own, must not wait for itself.
function guardInspector(gate: TrafficGate, deps: InspectorDeps) {
  const app = createInspectorApp(deps)
  return { ...app, ...gate.guard(app, isFreeOfStates) }
}

function controlDeps(foundation: Foundation, postgresUrl: ControlDeps['postgresUrl']): ControlDeps {
  const { engine, lifecycle, stores, clock, ids, observe, signingKeys, verifier } = foundation
  const { config, developer } = foundation
  return {
    stores,
    credentials: {
      verifier,
      sessionTokens: createSessionTokenMint(signingKeys),
      projectKeys: createProjectKeyMint(signingKeys),
    },
    developer: { id: developer.id, adminToken: config.adminToken },
    schemas: createSchemaBuilder({ engine, lifecycle, fidelity: config.clone }),
    lifecycle,
    executeSql: createSqlExecutor({ engine, maxResultBytes: foundation.config.maxResultBytes }),
    buckets: createPlatformBuckets(foundation.storage.buckets, stores.projects),
    postgresUrl,
    clock,
    ids,
    observe,
  }
}

// The switch stands in for a gigabyte of files.
function usageOf({ storage, stores }: Foundation): StorageUsage {
  return {
    storedBytes: (schemaName) => {
      const project = stores.projects.findProjectBySchema(schemaName)
      if (
        project !== undefined &&
        stores.projects.switches.isArmed(project.id, 'storage_over_quota')
      )
        return FREE_PLAN_STORAGE_BYTES + 1
      return storage.buckets.storedBytes(schemaName)
    },
  }
}
