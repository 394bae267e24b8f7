// Implements `Engine` with a PostgreSQL server: one database for each project, connections of its logins, and work that runs
// beside other work.
import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { PostgresSession } from '../../core/postgres-session.ts'
import type { PreciseClock } from '../../core/stopwatch.ts'
import {
  type Answer,
  type Engine,
  type EngineFacts,
  type EngineStats,
  type PlatformScope,
  SqlError,
  type StatementResult,
  type TenantQuestions,
  type TenantWork,
  type WorkResult,
} from '../engine.ts'
import type { EngineProjects } from '../engine-projects.ts'
import { requireOwnRole } from '../own-role.ts'
import type { EngineRehearsals, Rehearsal, RehearsalResult } from '../rehearsal.ts'
import type { SqlScript } from '../sql.ts'
import { Logins } from './connections/logins.ts'
import type { ServerConnection } from './connections/server-connection.ts'
import { ConnectionPool, type PoolBounds } from './pool/connection-pool.ts'
import type { Pooled, Seat } from './pool/seat.ts'
import type { RunningServer } from './server/running-server.ts'
import { runPlatformWork } from './work/platform-work.ts'
import { runRehearsal } from './work/rehearsal.ts'
import { answerQuestions } from './work/tenant-questions.ts'
import { runScript } from './work/tenant-scripts.ts'
import { type Outcome, runStatements } from './work/tenant-work.ts'
import { LimitedWork, type Running, type WorkLimits } from './work/work-limits.ts'

export interface PostgresEngineOptions {
  readonly server: RunningServer
  readonly wallClock: Clock
  readonly preciseNow: PreciseClock
  readonly ids: IdSource
  /** Default: `DEFAULT_POOL_BOUNDS`. */
  readonly bounds?: PoolBounds | undefined
}
