// Builds the services on the foundation and mounts them behind the edge.
import type { InspectorApp, InspectorDeps } from '../api/emulator-api/app.ts'
import { tellTraffic } from '../api/emulator-api/events/tell-traffic.ts'
import type { McpMountDeps } from '../api/emulator-api/mcp.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import { SeededIdSource } from '../core/id-source.ts'
import type { RequestEnv, ServiceApp } from '../core/request-env.ts'
import { createRowReader } from '../database/row-reader.ts'
import {
  renderInspectorError,
  renderInspectorInternal,
  renderInspectorUnavailable,
} from '../insight/api-kit/errors.ts'
import type { IdentityDeps } from '../insight/api-kit/identities.ts'
import type { RefusalExplainer } from '../insight/explain/requests/explain-refusals.ts'
import type { FaultBook } from '../insight/faults/fault-book.ts'
import type { EventFeed } from '../insight/journal/live/event-feed.ts'
import { chooseIdentities } from '../insight/visibility/choose-identities.ts'
import { asFetch, createEdge, type Edge } from '../server/edge.ts'
import { addressesOf } from '../server/hosts.ts'
import type { TrafficGate } from '../server/traffic-gate.ts'
import { createUpgrader, type Upgrader } from '../server/upgrade.ts'
import { createOriginRule } from '../server/web-pages.ts'
import { createWellKnownApp } from '../server/well-known.ts'
import { createAuthApp } from '../services/auth/app.ts'
import { createAuthTables } from '../services/auth/auth-tables.ts'
import { createControlApp } from '../services/control/app.ts'
import type { ControlDeps } from '../services/control/deps.ts'
import { createRealtimeTokenApp } from '../services/realtime/tokens/token-route.ts'
import { createStorageApp } from '../services/storage/app.ts'
import type { Bundles } from '../workflow/bundles/bundles.ts'
import type { BundleDeps } from '../workflow/bundles/make-bundle.ts'
import type { Past } from '../workflow/bundles/past.ts'
import { createFixtures, type Fixtures } from '../workflow/fixtures/fixtures.ts'
import { hasApplied } from '../workflow/fixtures/follow/follower.ts'
import {
  createStepStructures,
  type StepStructures,
} from '../workflow/migrations/drift/step-structures.ts'
import { openSnapshots, openStateGate } from '../workflow/snapshots/open-snapshots.ts'
import { isFreeOfStates } from '../workflow/snapshots/routes.ts'
import type { Snapshots } from '../workflow/snapshots/snapshots.ts'
import { controlDeps } from './control-service.ts'
import { identityDeps } from './explain-service.ts'
import { type Inspection, inspectorDeps, openFaults, openInspection } from './inspector-service.ts'
import type { Foundation } from './open-foundation.ts'
import {
  authDeps,
  openData,
  openRealtime,
  openStorageTokens,
  storageDeps,
} from './tenant-services.ts'

export interface Services {
  readonly edge: Edge
  readonly fetch: ReturnType<typeof asFetch>
  /** Opens the WebSocket handling of another listening address. */
  readonly openUpgrader: () => Upgrader
  /** Dependencies of the control plane's commands. The emulator's start runs some of these commands. */
  readonly control: ControlDeps
  readonly snapshots: Snapshots
  readonly inspection: Pick<Inspection, 'feed' | 'recordings' | 'watch'>
  readonly refusals: Pick<RefusalExplainer, 'close'>
  readonly fixtures: Fixtures
}

/**
 * @param info returns addresses and keys for GET /_emulator/v1/info
 * @param past the requests and faults of a bundle, when the emulator is opened from a bundle
 */
export function buildServices(
  foundation: Foundation,
  info: (env: RequestEnv) => Promise<ReadyLine>,
  postgresUrl: ControlDeps['postgresUrl'],
  past?: Past,
): Services {
  const { clock, config, ids, observe, signingKeys, situations, verifier, wallClock } = foundation
  const control = controlDeps(foundation, postgresUrl)
  const auth = authDeps(foundation)
  const faults = openFaults(foundation)
  past?.prepare(faults)
  const inspection = openInspection(foundation, faults)
  past?.recall(inspection.recordings)
  const realtime = openRealtime(foundation, faults.sockets, tellTraffic(inspection.feed.whole))
  const gate = openStateGate(wallClock)
  const snapshots = openSnapshots({
    ...foundation,
    projects: foundation.stores.projects,
    gate,
    faults,
    forgetPast: () => forgetPast(foundation, inspection, faults, past),
    readSeeds: () => fixtures.readSeeds(),
  })
  const stepStructures = createStepStructures({ ...control, engine: foundation.engine })
  const identities = identityDeps(foundation, auth, inspection.recordings)
  const fixtureParts = { control, faults, identities, stepStructures, feed: inspection.feed.all }
  const opened = openFixtures(foundation, fixtureParts)
  const fixtures = settingBaselines(opened, snapshots, { ...foundation, faults })
  const data = openData(foundation)
  const api = inspectorDeps(foundation, {
    auth,
    control,
    data,
    inspection,
    realtime,
    faults,
    fixtures,
    stepStructures,
    snapshots,
    bundles: bundlesOf(foundation, { faults, snapshots, ...inspection }, past),
    info,
    edge: (...sent) => edge(...sent),
  })
  const transport = { clock, wallClock, ids, observe, quietly: foundation.issued.quietly }
  const edge: Edge = createEdge({
    mounts: {
      control: gate.guard(createControlApp(control)),
      auth: gate.guard(createAuthApp(auth)),
      data: gate.guard(data),
      storageToken: openStorageTokens(foundation),
      storage: gate.guard(createStorageApp(storageDeps(foundation))),
      realtime: gate.guard(realtime.app),
      realtimeToken: createRealtimeTokenApp({ verifier, signingKeys, clock }),
      wellKnown: createWellKnownApp(signingKeys),
      emulator: guardInspector(gate, api),
    },
    ...transport,
    publicUrl: config.publicUrl,
    preciseNow: () => performance.now(),
    admitsOrigin: originRuleOf(config),
    recorder: inspection.recordings,
    faults: { requests: faults.requests, situations },
  })
  const sockets = { mounts: { realtime: realtime.sockets }, faults: faults.requests }
  const openUpgrader = (): Upgrader => createUpgrader({ ...transport, ...sockets })
  const { refusals } = api.why
  const fetch = asFetch(edge)
  return { edge, fetch, openUpgrader, control, snapshots, fixtures, inspection, refusals }
}

function originRuleOf({
  adminToken,
  allowOrigins: allowed,
  publicUrl,
}: Foundation['config']): ReturnType<typeof createOriginRule> {
  return createOriginRule({ allowed, publicUrl, trustsHost: adminToken !== undefined })
}

// Loads the code when the first bundle is made.
function bundlesOf(
  foundation: Foundation,
  parts: Pick<BundleDeps, 'faults' | 'snapshots' | 'recordings'>,
  past: Past | undefined,
): Bundles {
  const deps = { ...foundation, ...foundation.stores, ...parts }
  return {
    opened: past?.opened ?? null,
    make: async (order) =>
      (await import('../workflow/bundles/make-bundle.ts')).makeBundle(deps, order),
  }
}

function forgetPast(
  { issued, journal }: Foundation,
  { changes, recordings }: Inspection,
  faults: Pick<FaultBook, 'forgetHistory'>,
  past: Past | undefined,
): void {
  journal.clear()
  recordings.clear()
  changes.clear()
  faults.forgetHistory()
  issued.forget()
  past?.recall(recordings)
}

interface BaselineDeps extends Pick<Foundation, 'clock' | 'db' | 'ids' | 'writes'> {
  readonly faults: Pick<ReturnType<typeof openFaults>, 'list'>
}

// Each applied fixture makes the current state the baseline, which a reset restores. A state without a write since its baseline
// is not saved again: with 200,000 files that takes a fifth of a second of each start.
function settingBaselines(
  fixtures: Fixtures,
  snapshots: Snapshots,
  { clock, db, faults, ids, writes }: BaselineDeps,
): Fixtures {
  let written = 0
  writes.onWrite(() => {
    written += 1
  })
  const stateNow = (): string =>
    JSON.stringify([
      db.revision,
      written,
      clock.time,
      faults.list().map(({ id }) => id),
      ids instanceof SeededIdSource ? ids.position : null,
    ])
  let saved = stateNow()
  const save = async (): Promise<void> => {
    if (stateNow() === saved) return
    await snapshots.setBaseline()
    saved = stateNow()
  }
  return {
    ...fixtures,
    apply: async (given, seedData) => {
      const report = await fixtures.apply(given, seedData)
      if (report.applied) await save()
      return report
    },
    follow: async (given, options) => {
      const report = await fixtures.follow(given, options)
      if (hasApplied(report)) await save()
      return report
    },
  }
}

// Requests that replace the state, or that send other requests, bypass the gate. At the gate such a request would wait for
// itself.
function guardInspector(gate: TrafficGate, deps: InspectorDeps): ServiceApp {
  const app = loadedOnDemand(deps)
  const api = gate.guard(app, isFreeOfStates)
  return withMcp({ api, adminToken: deps.adminToken, version: deps.overview.version })
}

const MCP_PATH = '/_emulator/mcp'

// Agents' messages bypass the gate, because a tool that restores a state would wait for the end of its own message.
function withMcp(deps: McpMountDeps): ServiceApp {
  return {
    ...deps.api,
    answer: async (request, env) => {
      if (request.path !== MCP_PATH) return deps.api.answer(request, env)
      const { serveMcp } = await import('../api/emulator-api/mcp.ts')
      return serveMcp(deps, request.web, env)
    },
  }
}

// Loads the emulator's API at its first request, because building its schemas takes about 40 ms.
function loadedOnDemand(deps: InspectorDeps): ServiceApp {
  let loading: Promise<InspectorApp> | undefined
  return {
    answer: async (request, env) => {
      loading ??= import('../api/emulator-api/app.ts').then(({ createInspectorApp }) =>
        createInspectorApp(deps),
      )
      return (await loading).answer(request, env)
    },
    renderError: renderInspectorError,
    renderUnavailable: renderInspectorUnavailable,
    renderInternal: renderInspectorInternal,
  }
}

// Connects fixtures to the foundation and the control plane.

interface FixtureParts {
  readonly control: ControlDeps
  readonly feed: Pick<EventFeed, 'tell'>
  readonly faults: FaultBook
  readonly identities: IdentityDeps
  readonly stepStructures: StepStructures
}

function openFixtures(
  foundation: Foundation,
  { control, faults, feed, identities, stepStructures }: FixtureParts,
): Fixtures {
  const { engine, authSettings, revokedUsers, storage, developer, clock, wallClock } = foundation
  const addresses = addressesOf(foundation.config.publicUrl ?? 'http://127.0.0.1')
  return createFixtures({
    ...control,
    engine,
    rehearsals: foundation.rehearsals,
    reader: createRowReader(engine),
    auth: { tables: createAuthTables(engine, clock), settings: authSettings, revokedUsers },
    storage,
    faults: {
      armed: () => faults.list(),
      arm: (orders) => {
        faults.armFaults(orders)
      },
    },
    identities: (project) => chooseIdentities(identities, project, addresses),
    stepTexts: foundation.stepTexts,
    stepStructures,
    store: foundation.fixtures,
    steps: foundation.steps,
    bases: foundation.bases,
    developer,
    clock,
    wallClock,
    tell: (event) => feed.tell(() => event),
  })
}
