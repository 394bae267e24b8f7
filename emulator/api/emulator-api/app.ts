// /_emulator/v1: the emulator's own API, for its UI, the command line, fixtures and tests; applications don't need it
// (docs/reference/emulator-api.md). The mount also serves the UI's files. The API answers only this machine unless an admin
// token is set.
import { Hono } from 'hono'
import type { ReadyLine } from '../../contract/addresses.ts'
import { BASE, EVENTS_AFTER_HEADER, EVENTS_HEADER } from '../../contract/operation.ts'
import type { RequestEnv, ServiceApp } from '../../core/request-env.ts'
import { boundBody } from '../../insight/api-kit/body-bound.ts'
import {
  InspectorError,
  renderInspectorError,
  renderInspectorInternal,
  renderInspectorUnavailable,
} from '../../insight/api-kit/errors.ts'
import { admitToEmulatorApi } from '../../insight/api-kit/guard.ts'
import type { Bindings } from '../../insight/api-kit/mount.ts'
import { type AuditRouteDeps, mountAudit } from '../../insight/explain/audit/routes.ts'
import { type ChainRouteDeps, mountRequestChain } from '../../insight/explain/requests/routes.ts'
import { type ExplainRouteDeps, mountExplain } from '../../insight/explain/rows/routes.ts'
import { mountTokens, type TokenRouteDeps } from '../../insight/explain/tokens/routes.ts'
import { type FaultRouteDeps, mountFaults } from '../../insight/faults/routes.ts'
import { type ActivityDeps, mountActivity } from '../../insight/follow/routes.ts'
import { type HistoryDeps, mountHistory } from '../../insight/history/routes.ts'
import type { EventFeeds } from '../../insight/journal/live/event-feeds.ts'
import { mountRecordings, type RecordingRouteDeps } from '../../insight/journal/recording/routes.ts'
import { mountJournal } from '../../insight/journal/routes.ts'
import { mountRealtime, type RealtimeRouteDeps } from '../../insight/journal/row-changes/routes.ts'
import { mountAuthSettings } from '../../insight/project-tools/auth-settings.ts'
import type { Expiries } from '../../insight/project-tools/expiries.ts'
import { mountMailbox } from '../../insight/project-tools/mailbox.ts'
import { mountPrincipals, type PrincipalMintDeps } from '../../insight/project-tools/principals.ts'
import { mountS3Keys } from '../../insight/project-tools/s3-keys.ts'
import {
  mountStorageUsage,
  type StorageUsageDeps,
} from '../../insight/project-tools/storage-usage.ts'
import { mountSwitches } from '../../insight/project-tools/switches.ts'
import { mountUsers } from '../../insight/project-tools/users.ts'
import { mountPlans, type PlanRouteDeps } from '../../insight/workbench/plans/routes.ts'
import { type DraftRouteDeps, mountPolicyDrafts } from '../../insight/workbench/policies/routes.ts'
import { mountSql } from '../../insight/workbench/sql/mount-sql.ts'
import { mountTables, type TablesDeps } from '../../insight/workbench/tables/mount-tables.ts'
import type { Mailbox } from '../../platform/messages/mailbox.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { KeptAuthSettings } from '../../services/auth/auth-settings.ts'
import type { UserManagement } from '../../services/auth/users/manage-users.ts'
import type { S3KeyStore } from '../../services/storage/s3/signing/s3-key-store.ts'
import type { Bundles } from '../../workflow/bundles/bundles.ts'
import { mountBundles } from '../../workflow/bundles/routes.ts'
import type { Changes } from '../../workflow/changes/changes.ts'
import { mountChanges } from '../../workflow/changes/routes.ts'
import type { Fixtures } from '../../workflow/fixtures/fixtures.ts'
import { mountFixtures } from '../../workflow/fixtures/routes.ts'
import { mountDrift } from '../../workflow/migrations/drift/routes.ts'
import { type FleetRouteDeps, mountFleet } from '../../workflow/migrations/fleet/routes.ts'
import {
  mountRehearsals,
  type RehearsalRouteDeps,
} from '../../workflow/migrations/rehearse/routes.ts'
import { mountMigrations } from '../../workflow/migrations/routes.ts'
import { mountSnapshots } from '../../workflow/snapshots/routes.ts'
import type { Snapshots } from '../../workflow/snapshots/snapshots.ts'
import { mountComparisons } from '../../workflow/traffic/routes.ts'
import { type ClockParts, mountClock } from './clock-routes.ts'
import { isDocsPath, serveDocsFile } from './docs-files.ts'
import { mountEvents } from './events/routes.ts'
import type { HomeDeps } from './overview/home.ts'
import type { OverviewDeps } from './overview/overview.ts'
import { mountOverview } from './overview/routes.ts'
import { isUiPath, serveUiFile } from './ui-files.ts'

export interface InspectorDeps extends ClockParts {
  readonly adminToken: string | undefined
  /** Returns the addresses and keys that the ready line shows. */
  readonly info: (env: RequestEnv) => Promise<ReadyLine>
  readonly feed: EventFeeds
  readonly requests: RecordingRouteDeps
  readonly overview: OverviewDeps
  readonly home: HomeDeps
  readonly realtime: RealtimeRouteDeps
  readonly projects: ProjectRegistry
  readonly principals: PrincipalMintDeps
  readonly tokens: TokenRouteDeps
  readonly why: ChainRouteDeps
  readonly explain: ExplainRouteDeps & DraftRouteDeps
  readonly audit: AuditRouteDeps
  readonly tables: TablesDeps & PlanRouteDeps
  readonly faults: FaultRouteDeps
  readonly fixtures: Fixtures
  readonly migrations: FleetRouteDeps & RehearsalRouteDeps
  readonly changes: Changes
  readonly mailbox: Mailbox
  readonly authSettings: KeptAuthSettings
  readonly users: UserManagement
  readonly activity: ActivityDeps['activity']
  readonly history: HistoryDeps
  readonly s3Keys: S3KeyStore
  readonly buckets: StorageUsageDeps['buckets']
  readonly snapshots: Snapshots
  readonly bundles: Bundles
  readonly expiries: Expiries
  /** Folder into which `npm run build` writes the inspector's pages. */
  readonly uiFolder: string
  /** Folder into which `npm run docs:site` writes the documentation site. It may be missing. */
  readonly docsFolder: string
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
  // Must precede the route /journal/:request_id, which would also match /journal/refusals.
  mountRequestChain(app, deps.why)
  mountRecordings(app, deps.requests)
  mountRealtime(app, deps.realtime)
  mountMailbox(app, deps)
  mountAuthSettings(app, deps)
  mountUsers(app, deps)
  mountActivity(app, deps)
  mountHistory(app, deps.history)
  mountS3Keys(app, deps)
  mountStorageUsage(app, deps)
  mountSnapshots(app, deps)
  mountBundles(app, deps)
  mountTokens(app, deps.tokens)
  mountExplain(app, deps.explain)
  mountPolicyDrafts(app, deps.explain)
  mountAudit(app, deps.audit)
  mountTables(app, deps.tables)
  mountSql(app, deps.tables)
  mountPlans(app, deps.tables)
  mountFaults(app, deps.faults)
  mountFixtures(app, deps.fixtures, deps.projects)
  mountMigrations(app, deps.migrations)
  mountFleet(app, deps.migrations)
  mountRehearsals(app, deps.migrations)
  mountDrift(app, deps.migrations)
  mountChanges(app, deps)
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
    answer: ({ path, web }, env) => {
      if (isDocsPath(path)) return serveDocsFile(web, env, deps.docsFolder, deps.adminToken)
      if (isUiPath(path)) return serveUiFile(web, env, deps.uiFolder, deps.adminToken)
      admitToEmulatorApi(web, env, deps.adminToken)
      return withEvents(deps.feed, () => app.fetch(boundBody(web), env))
    },
    renderError: renderInspectorError,
    renderUnavailable: renderInspectorUnavailable,
    renderInternal: renderInspectorInternal,
  }
}

// The first header has the count at the request's arrival, because the answer may lack later events.
async function withEvents(
  feed: Pick<EventFeeds, 'count'>,
  ask: () => Response | Promise<Response>,
): Promise<Response> {
  const before = feed.count()
  const response = await ask()
  response.headers.set(EVENTS_HEADER, String(before))
  response.headers.set(EVENTS_AFTER_HEADER, String(feed.count()))
  return response
}
