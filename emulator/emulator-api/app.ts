// /_emulator/v1: the emulator's own API, for its UI, the command line, fixtures and tests; applications don't need it
// (docs/reference/emulator-api.md). The mount also serves the UI's files. The API answers only this machine unless an admin
// token is set.
import { Hono } from 'hono'
import { boundBody } from '../api-kit/body-bound.ts'
import {
  InspectorError,
  renderInspectorError,
  renderInspectorInternal,
  renderInspectorUnavailable,
} from '../api-kit/errors.ts'
import { admitToEmulatorApi } from '../api-kit/guard.ts'
import type { Bindings } from '../api-kit/mount.ts'
import type { KeptAuthSettings } from '../auth/auth-settings.ts'
import type { UserManagement } from '../auth/users/manage-users.ts'
import type { Bundles } from '../bundles/bundles.ts'
import { mountBundles } from '../bundles/routes.ts'
import type { ReadyLine } from '../contract/addresses.ts'
import { BASE } from '../contract/operation.ts'
import type { RequestEnv, ServiceApp } from '../core/request-env.ts'
import { type AuditRouteDeps, mountAudit } from '../explain/audit/routes.ts'

import { type ChainRouteDeps, mountRequestChain } from '../explain/requests/routes.ts'
import { type ExplainRouteDeps, mountExplain } from '../explain/rows/routes.ts'
import { mountTokens, type TokenRouteDeps } from '../explain/tokens/routes.ts'
import { type FaultRouteDeps, mountFaults } from '../faults/routes.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { mountFixtures } from '../fixtures/routes.ts'
import type { EventFeed } from '../journal/live/event-feed.ts'
import { mountRecordings, type RecordingRouteDeps } from '../journal/recording/routes.ts'
import { mountJournal } from '../journal/routes.ts'
import { mountRealtime, type RealtimeRouteDeps } from '../journal/row-changes/routes.ts'
import type { Mailbox } from '../messages/mailbox.ts'
import { mountDrift } from '../migrations/drift/routes.ts'
import { type FleetRouteDeps, mountFleet } from '../migrations/fleet/routes.ts'
import { mountRehearsals, type RehearsalRouteDeps } from '../migrations/rehearse/routes.ts'
import { mountMigrations } from '../migrations/routes.ts'
import { mountAuthSettings } from '../project-tools/auth-settings.ts'
import type { Expiries } from '../project-tools/expiries.ts'
import { mountMailbox } from '../project-tools/mailbox.ts'
import { mountPrincipals, type PrincipalMintDeps } from '../project-tools/principals.ts'
import { mountS3Keys } from '../project-tools/s3-keys.ts'
import { mountStorageUsage, type StorageUsageDeps } from '../project-tools/storage-usage.ts'
import { mountSwitches } from '../project-tools/switches.ts'
import { mountUsers } from '../project-tools/users.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { mountSnapshots } from '../snapshots/routes.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { S3KeyStore } from '../storage/s3/signing/s3-key-store.ts'
import { mountComparisons } from '../traffic/routes.ts'
import { mountSql } from '../workbench/sql/mount-sql.ts'
import { mountTables, type TablesDeps } from '../workbench/tables/mount-tables.ts'
import { type ClockParts, mountClock } from './clock-routes.ts'
import { mountEvents } from './events/routes.ts'
import { mountOverview, type OverviewDeps } from './overview/routes.ts'
import { isUiPath, serveUiFile } from './ui-files.ts'

export interface InspectorDeps extends ClockParts {
  readonly adminToken: string | undefined
  /** Returns the addresses and keys that the ready line shows. */
  readonly info: (env: RequestEnv) => Promise<ReadyLine>
  readonly feed: EventFeed
  readonly requests: RecordingRouteDeps
  readonly overview: OverviewDeps
  readonly realtime: RealtimeRouteDeps
  readonly projects: ProjectRegistry
  readonly principals: PrincipalMintDeps
  readonly tokens: TokenRouteDeps
  readonly why: ChainRouteDeps
  readonly explain: ExplainRouteDeps
  readonly audit: AuditRouteDeps
  readonly tables: TablesDeps
  readonly faults: FaultRouteDeps
  readonly fixtures: Fixtures
  readonly migrations: FleetRouteDeps & RehearsalRouteDeps
  readonly mailbox: Mailbox
  readonly authSettings: KeptAuthSettings
  readonly users: UserManagement
  readonly s3Keys: S3KeyStore
  readonly buckets: StorageUsageDeps['buckets']
  readonly snapshots: Snapshots
  readonly bundles: Bundles
  readonly expiries: Expiries
  /** Folder into which `npm run build` writes the inspector's pages. */
  readonly uiFolder: string
}

export interface InspectorApp extends ServiceApp {
  /** All mounted routes. Paths include the base path. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
}

export function createInspectorApp(deps: InspectorDeps): InspectorApp {
  const app = new Hono<Bindings>().basePath(BASE)
  mountOverview(app, deps)
  mountClock(app, deps)
  mountPrincipals(app, deps)
  mountSwitches(app, deps)
  mountEvents(app, deps)
  mountJournal(app, deps.requests)
  // Before the route /journal/:request_id, which would also match /journal/refusals.
  mountRequestChain(app, deps.why)
  mountRecordings(app, deps.requests)
  mountRealtime(app, deps.realtime)
  mountMailbox(app, deps)
  mountAuthSettings(app, deps)
  mountUsers(app, deps)
  mountS3Keys(app, deps)
  mountStorageUsage(app, deps)
  mountSnapshots(app, deps)
  mountBundles(app, deps)
  mountTokens(app, deps.tokens)
  mountExplain(app, deps.explain)
  mountAudit(app, deps.audit)
  mountTables(app, deps.tables)
  mountSql(app, deps.tables)
  mountFaults(app, deps.faults)
  mountFixtures(app, deps.fixtures, deps.projects)
  mountMigrations(app, deps.migrations)
  mountFleet(app, deps.migrations)
  mountRehearsals(app, deps.migrations)
  mountDrift(app, deps.migrations)
  mountComparisons(app, deps)
  app.notFound((c) => {
    throw new InspectorError(
      'not_found',
      `The emulator’s API has no operation ${c.req.method} ${c.req.path}.`,
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
