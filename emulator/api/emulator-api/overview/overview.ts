// The platform and the health of its services, for GET /overview and GET /home.
import type { ProjectConnection } from '../../../contract/addresses.ts'
import type { FollowedFolder, PlatformOverview, ServiceHealth } from '../../../contract/overview.ts'
import type { Clock } from '../../../core/clock.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { type Engine, type EngineStats, SqlError } from '../../../database/engine.ts'
import { readScript, sql } from '../../../database/sql.ts'
import type { ServiceTotals } from '../../../insight/journal/cause-rows.ts'
import type { Journal } from '../../../insight/journal/journal.ts'
import type { ProjectSizes } from '../../../insight/project-tools/project-sizes.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { type HealthFacts, type RealtimeLoad, serviceHealth } from './service-health.ts'
import { type PlatformRecords, shownProjects, showPlatform } from './show-platform.ts'

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

export async function overviewOf(deps: OverviewDeps): Promise<PlatformOverview> {
  const { journal, records, sizes } = deps
  const database = await askDatabase(deps)
  const unread = database.problem === undefined ? await readChangedSizes(deps) : 0
  return {
    ...emulatorFacts(deps),
    services: servicesOf(deps, database, journal.totals()),
    last_errors: journal
      .read({ limit: LAST_ERRORS, status: { from: 500, to: 599 } })
      .map((entry) => ({
        request_id: entry.request_id,
        at: entry.received_at,
        message: entry.error_message ?? `${entry.method} ${entry.target} answered ${entry.status}`,
        fault: entry.fault,
      })),
    ...showPlatform(records, sizes, journal.lastRequests()),
    unread,
  }
}

export function emulatorFacts(
  deps: Pick<OverviewDeps, 'dataDir' | 'engineStats' | 'memoryBytes' | 'startedAt' | 'version'>,
): Pick<
  PlatformOverview,
  'data_dir' | 'engine_heap_bytes' | 'memory_bytes' | 'started_at' | 'version'
> {
  const { heapBytes } = deps.engineStats()
  return {
    version: deps.version,
    data_dir: deps.dataDir ?? null,
    started_at: toIso(deps.startedAt),
    memory_bytes: deps.memoryBytes(),
    ...(heapBytes === undefined ? {} : { engine_heap_bytes: heapBytes }),
  }
}

type DatabaseAnswer = Pick<HealthFacts, 'answeredInMillis' | 'problem'>

export function servicesOf(
  { engineStats, realtimeLoad, watch }: OverviewDeps,
  database: DatabaseAnswer,
  totals: readonly ServiceTotals[],
): readonly ServiceHealth[] {
  const of = (count: 'failures' | 'total') =>
    Object.fromEntries(totals.map((one) => [one.service, one[count]]))
  return serviceHealth({
    stats: engineStats(),
    ...database,
    counts: of('total'),
    failures: of('failures'),
    realtime: realtimeLoad(),
    watch: watch(),
  })
}

const PING = readScript([sql`select`])

export async function askDatabase({
  engine,
  wallClock,
}: Pick<OverviewDeps, 'engine' | 'wallClock'>): Promise<DatabaseAnswer> {
  const begun = wallClock.now()
  try {
    await engine.admin('cluster', PING)
    return { answeredInMillis: wallClock.now() - begun, problem: undefined }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { answeredInMillis: 0, problem: error.message }
  }
}

/** Projects whose sizes one call reads. A size takes some milliseconds, and other work waits meanwhile (project-sizes.ts). */
const READ_AT_ONCE = 5

/** Reads sizes that may have changed, unknown ones first. Returns the number of projects that it did not read. */
async function readChangedSizes({ records, sizes }: OverviewDeps): Promise<number> {
  const changed = shownProjects(records)
    .map(({ schemaName }) => schemaName)
    .filter((name) => sizes.isChanged(name))
  const [known, unknown] = [true, false].map((isKnown) =>
    changed.filter((name) => (sizes.known(name) !== undefined) === isKnown),
  )
  await sizes.read([...(unknown ?? []), ...(known ?? [])].slice(0, READ_AT_ONCE))
  return Math.max(0, changed.length - READ_AT_ONCE)
}
