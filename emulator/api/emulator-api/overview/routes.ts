// Routes for the platform overview below /_emulator/v1 (contract/overview.ts).
import type { Hono } from 'hono'
import type { ProjectConnection, ReadyLine } from '../../../contract/addresses.ts'
import {
  type FollowedFolder,
  OVERVIEW_OPERATIONS,
  type PlatformOverview,
} from '../../../contract/overview.ts'
import type { Clock } from '../../../core/clock.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { type Engine, type EngineStats, SqlError } from '../../../database/engine.ts'
import { readScript, sql } from '../../../database/sql.ts'
import { liveProject } from '../../../insight/api-kit/find-project.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import type { AuditRouteDeps } from '../../../insight/explain/audit/routes.ts'
import type { Journal } from '../../../insight/journal/journal.ts'
import type { ProjectSizes } from '../../../insight/project-tools/project-sizes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { type HealthFacts, type RealtimeLoad, serviceHealth } from './service-health.ts'
import { listProjects, type PlatformRecords, shownProjects, showPlatform } from './show-platform.ts'

export interface OverviewDeps {
  readonly engine: Pick<Engine, 'admin'>
  readonly sizes: ProjectSizes
  readonly version: string
  readonly dataDir: string | undefined
  /** Machine time at which the emulator started. */
  readonly startedAt: EpochMillis
  readonly journal: Journal
  readonly records: PlatformRecords
  readonly engineStats: () => EngineStats
  readonly realtimeLoad: () => RealtimeLoad
  readonly memoryBytes: () => number
  /** The folder that `tenantry dev` follows. */
  readonly watch: () => FollowedFolder | undefined
  readonly connectionOf: (project: Project, env: RequestEnv) => Promise<ProjectConnection>
  readonly wallClock: Clock
}

const LAST_ERRORS = 10

export function mountOverview(
  app: Hono<Bindings>,
  {
    overview,
    info,
    audit,
    projects,
  }: {
    readonly overview: OverviewDeps
    readonly info: (env: RequestEnv) => Promise<ReadyLine>
    readonly audit: AuditRouteDeps
    readonly projects: ProjectRegistry
  },
): void {
  const { version, engineStats } = overview
  mount(app, OVERVIEW_OPERATIONS, {
    'GET /health': () => {
      const watch = overview.watch()
      const health = { status: 'ok' as const, version, engine: engineStats() }
      return watch === undefined ? health : { ...health, watch }
    },
    'GET /info': ({ env }) => info(env),
    'GET /projects/:ref/connection': ({ env, params }) =>
      overview.connectionOf(liveProject(projects, params.ref), env),
    'GET /openapi.json': async () => {
      const { openApiDocument } = await import('../openapi/own-document.ts')
      return openApiDocument(version)
    },
    'GET /openapi/:plane': async ({ env, params, query }) => {
      const { documentOfPlane } = await import('../openapi/document-of-plane.ts')
      const deps = { version, projects, rest: audit.audit }
      return documentOfPlane(deps, params.plane, query.project, env)
    },
    'GET /overview': () => overviewOf(overview),
    'GET /projects': () => ({
      data_dir: overview.dataDir ?? null,
      ...listProjects(overview.records),
    }),
  })
}

async function overviewOf(deps: OverviewDeps): Promise<PlatformOverview> {
  const { journal, records, sizes, engineStats } = deps
  const database = await askDatabase(deps)
  const stats = engineStats()
  return {
    version: deps.version,
    data_dir: deps.dataDir ?? null,
    started_at: toIso(deps.startedAt),
    memory_bytes: deps.memoryBytes(),
    ...(stats.heapBytes === undefined ? {} : { engine_heap_bytes: stats.heapBytes }),
    services: serviceHealth({
      stats,
      ...database,
      counts: journal.facets({}).services,
      failures: journal.facets({ ownFailures: true }).services,
      realtime: deps.realtimeLoad(),
      watch: deps.watch(),
    }),
    last_errors: journal
      .read({ limit: LAST_ERRORS, status: { from: 500, to: 599 } })
      .map((entry) => ({
        request_id: entry.request_id,
        at: entry.received_at,
        message: entry.error_message ?? `${entry.method} ${entry.target} answered ${entry.status}`,
      })),
    ...showPlatform(records, sizes, journal.lastRequests()),
  }
}

const PING = readScript([sql`select`])

/** Asks the database for an answer, and reads the sizes of projects that changed. */
async function askDatabase({
  engine,
  records,
  sizes,
  wallClock,
}: OverviewDeps): Promise<Pick<HealthFacts, 'answeredInMillis' | 'problem'>> {
  const begun = wallClock.now()
  let answeredInMillis = 0
  try {
    await engine.admin('cluster', PING)
    answeredInMillis = wallClock.now() - begun
    const names = shownProjects(records).map(({ schemaName }) => schemaName)
    await sizes.read(names.filter((name) => sizes.isChanged(name)))
    return { answeredInMillis, problem: undefined }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { answeredInMillis, problem: error.message }
  }
}
