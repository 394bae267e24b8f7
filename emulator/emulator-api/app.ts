// /_emulator/v1: the emulator's own API, for its UI, the command line, fixtures and tests; no application needs it
// (docs/reference/emulator-api.md). Beside it, the UI's files. Loopback only unless an admin token is set.
import { Hono } from 'hono'
import { boundBody } from '../api-kit/body-bound.ts'
import { type Bindings, decodeBody, findProject } from '../api-kit/decode.ts'
import {
  InspectorError,
  renderInspectorError,
  renderInspectorInternal,
  renderInspectorUnavailable,
} from '../api-kit/errors.ts'
import { admitToEmulatorApi } from '../api-kit/guard.ts'
import type { KeptAuthSettings } from '../auth/auth-settings-store.ts'
import type { UserManagement } from '../auth/manage-users.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import type { Clock } from '../core/clock.ts'
import type { PlatformClock } from '../core/platform-clock.ts'
import type { RequestEnv, ServiceApp } from '../core/request-env.ts'
import type { EngineStats } from '../database/engine.ts'
import type { ChainDeps } from '../explain/requests/recorded-request.ts'
import { mountRequestChain } from '../explain/requests/routes.ts'
import { type ExplainRouteDeps, mountExplain } from '../explain/rows/routes.ts'
import { mountTokens, type TokenRouteDeps } from '../explain/tokens/routes.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { mountFaults } from '../faults/routes.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { mountFixtures } from '../fixtures/routes.ts'
import type { EventFeed } from '../journal/live/event-feed.ts'
import { mountRecordings, type RecordingRouteDeps } from '../journal/recording/routes.ts'
import { mountJournal } from '../journal/routes.ts'
import { mountRealtime, type RealtimeRouteDeps } from '../journal/row-changes/routes.ts'
import type { Mailbox } from '../messages/mailbox.ts'
import { mountAuthSettings } from '../project-tools/auth-settings.ts'
import { mountMailbox } from '../project-tools/mailbox.ts'
import {
  mintPrincipal,
  mintPrincipalSchema,
  type PrincipalMintDeps,
} from '../project-tools/principals.ts'
import { mountS3Keys } from '../project-tools/s3-keys.ts'
import { setSwitches, switchesSchema, switchState } from '../project-tools/switches.ts'
import { mountUsers } from '../project-tools/users.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { mountSnapshots } from '../snapshots/routes.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { S3KeyStore } from '../storage/s3/signing/s3-key-store.ts'
import { mountSql } from '../workbench/sql/mount-sql.ts'
import { mountTables, type TablesDeps } from '../workbench/tables/mount-tables.ts'
import { mountTypes } from '../workbench/types/mount-types.ts'
import { clockCommandSchema, clockState, moveClock } from './clock-command.ts'
import { mountEvents } from './events/routes.ts'
import { type MountedRoute, openApiDocument } from './openapi/document.ts'
import { OPERATIONS } from './openapi/operations.ts'
import { mountOverview, type OverviewDeps } from './overview/routes.ts'
import { isUiPath, serveUiFile } from './ui-files.ts'

export interface InspectorDeps {
  readonly version: string
  readonly adminToken: string | undefined
  readonly feed: EventFeed
  readonly requests: RecordingRouteDeps
  readonly overview: OverviewDeps
  readonly realtime: RealtimeRouteDeps
  readonly projects: ProjectRegistry
  readonly principals: PrincipalMintDeps
  readonly tokens: TokenRouteDeps
  readonly why: ChainDeps
  readonly explain: ExplainRouteDeps
  readonly tables: TablesDeps
  readonly faults: FaultBook
  readonly fixtures: Fixtures
  readonly mailbox: Mailbox
  readonly authSettings: KeptAuthSettings
  readonly users: UserManagement
  readonly s3Keys: S3KeyStore
  readonly snapshots: Snapshots
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly engineStats: () => EngineStats
  /** Where `npm run build` put the inspector's pages. */
  readonly uiFolder: string
  /** Addresses and keys, as the ready line states them. */
  readonly info: (env: RequestEnv) => Promise<ReadyLine>
}

/** Where the API is. */
export const BASE = '/_emulator/v1'

export interface InspectorApp extends ServiceApp {
  readonly routes: readonly MountedRoute[]
}

export function createInspectorApp(deps: InspectorDeps): InspectorApp {
  const app = new Hono<Bindings>().basePath(BASE)
  app.get('/health', (c) =>
    c.json({ status: 'ok', version: deps.version, engine: deps.engineStats() }),
  )
  app.get('/info', async (c) => c.json(await deps.info(c.env)))
  app.get('/clock', (c) => c.json(clockState(deps.clock, deps.wallClock)))
  app.post('/clock', async (c) => {
    moveClock(deps.clock, await decodeBody(c, clockCommandSchema))
    return c.json(clockState(deps.clock, deps.wallClock))
  })
  app.post('/principals', async (c) => {
    const order = await decodeBody(c, mintPrincipalSchema)
    return c.json(
      await mintPrincipal(
        deps.principals,
        findProject(deps.projects, order.project),
        order,
        c.env.addresses,
      ),
      201,
    )
  })
  app.get('/projects/:ref/switches', (c) =>
    c.json(switchState(deps.projects.switches, findProject(deps.projects, c.req.param('ref')))),
  )
  app.put('/projects/:ref/switches', async (c) => {
    const project = findProject(deps.projects, c.req.param('ref'))
    setSwitches(deps.projects.switches, project, (await decodeBody(c, switchesSchema)).on)
    return c.json(switchState(deps.projects.switches, project))
  })
  mountOverview(app, deps.overview)
  mountEvents(app, deps)
  mountJournal(app, deps.requests)
  mountRecordings(app, deps.requests)
  mountRealtime(app, deps.realtime)
  mountMailbox(app, deps)
  mountAuthSettings(app, deps)
  mountUsers(app, deps)
  mountS3Keys(app, deps)
  mountSnapshots(app, deps)
  mountTokens(app, deps.tokens)
  mountRequestChain(app, deps.why)
  mountExplain(app, deps.explain)
  mountTables(app, deps.tables)
  mountSql(app, deps.tables)
  mountTypes(app, deps.tables)
  mountFaults(app, deps.faults)
  mountFixtures(app, deps.fixtures)
  app.get('/openapi.json', async (c) => {
    const { default: contract } = await import('./openapi/contract-schemas.json', {
      with: { type: 'json' },
    })
    const { version } = deps
    const parts = { version, base: BASE, routes: app.routes, operations: OPERATIONS, contract }
    return c.json(openApiDocument(parts))
  })
  app.notFound((c) => {
    throw new InspectorError(
      'not_found',
      `There is no ${c.req.method} ${c.req.path} in the emulator’s API.`,
    )
  })
  app.onError((error) => {
    throw error
  })
  return {
    routes: app.routes,
    fetch: (request, env) => {
      if (isUiPath(new URL(request.url).pathname))
        return serveUiFile(request, env, deps.uiFolder, deps.adminToken)
      admitToEmulatorApi(request, env, deps.adminToken)
      return app.fetch(boundBody(request), env)
    },
    renderError: renderInspectorError,
    renderUnavailable: renderInspectorUnavailable,
    renderInternal: renderInspectorInternal,
  }
}
