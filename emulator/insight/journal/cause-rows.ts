// Counts the requests of applications in the journal's table, and groups those that failed, were slow or met a fault. The home
// screen requests the result every few seconds, so each query is one pass over the table.
import type { EpochMillis } from '../../core/time.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import { OWN_FAILURE, type Source } from './journal-filter.ts'

/** Where a request was sent. */
export interface SentTo {
  readonly schema_name: string | null
  readonly service: string
  readonly method: string
  /** The target without its query. */
  readonly path: string
}

/** A group of requests with the same project, service, route, status, code, reason and fault. */
export interface FailedRows extends SentTo {
  readonly schema_is_claimed: number
  readonly status: number
  readonly error_code: string | null
  /** Whether a policy refused the row. A missing grant has the same code. */
  readonly is_by_policy: number
  /** The error message of a refused credential. Services have only a few such messages, so requests can be grouped by them. */
  readonly credential_message: string | null
  readonly fault: string | null
  readonly is_own_failure: number
  readonly count: number
  readonly first_at: EpochMillis
  readonly last_at: EpochMillis
  readonly last_sequence: number
}

export interface SlowRow extends SentTo {
  readonly sequence: number
  readonly arrived_at: EpochMillis
  readonly duration_ms: number
}

export interface SucceededRows extends SentTo {
  readonly last_at: EpochMillis
}

export interface ServiceTotals {
  readonly service: string
  readonly total: number
  readonly refused: number
  readonly injected: number
  readonly failures: number
  readonly first_at: EpochMillis
}

export interface TrafficStep {
  /** The position of the step in the span. */
  readonly step: number
  readonly total: number
  readonly refused: number
}

/** A span of wall-clock time that is divided into equal steps. */
export interface TrafficSpan {
  readonly from: EpochMillis
  readonly stepMillis: number
}

export interface JournalCauses {
  readonly totals: readonly ServiceTotals[]
  readonly span: TrafficSpan
  readonly traffic: readonly TrafficStep[]
  /** Newest first. */
  readonly failed: readonly FailedRows[]
  /** Newest first. */
  readonly slow: readonly SlowRow[]
  readonly isWhole: boolean
}

export interface CauseQuestion {
  readonly slowFromMillis: number
  /** Chooses the span of the traffic. @param oldest arrival of the oldest request */
  readonly spanOf: (oldest: EpochMillis | undefined) => TrafficSpan
}

/** Bounds the work after the queries. A journal of 10,000 requests rarely has more groups of failures. */
const MAX_ROWS = 2_000

const PATH = "substr(target, 1, instr(target || '?', '?') - 1)"
const SENT_TO = `schema_name, service, method, ${PATH} as path`
/** The inspector’s own requests do not count as traffic of applications. */
export const OF_APPLICATION = "is_from_inspector = 0 and service <> 'inspector'"

export function readCauses(
  db: SystemDb,
  source: Source,
  { slowFromMillis, spanOf }: CauseQuestion,
): JournalCauses {
  const failed = db
    .prepare<[number], FailedRows>(
      `select ${SENT_TO}, schema_is_claimed, status, error_code, fault, ${OWN_FAILURE} as is_own_failure,
         coalesce(error_message like '%row-level security%', 0) as is_by_policy,
         case when status = 401 then error_message end as credential_message,
         count(*) as count, min(arrived_at) as first_at, max(arrived_at) as last_at,
         max(sequence) as last_sequence
       from ${source} where ${OF_APPLICATION} and (status >= 400 or fault is not null)
       group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 order by last_sequence desc limit ?`,
    )
    .all(MAX_ROWS)
  const slow = db
    .prepare<[number, number], SlowRow>(
      `select ${SENT_TO}, sequence, arrived_at, duration_ms from ${source}
       where ${OF_APPLICATION} and duration_ms >= ? and status < 400 and fault is null
       order by sequence desc limit ?`,
    )
    .all(slowFromMillis, MAX_ROWS)
  const totals = readTotals(db, source)
  const span = spanOf(oldestOf(totals))
  return {
    totals,
    span,
    traffic: readTraffic(db, source, span),
    failed,
    slow,
    isWhole: failed.length < MAX_ROWS && slow.length < MAX_ROWS,
  }
}

export function readTotals(db: SystemDb, source: Source): readonly ServiceTotals[] {
  return db
    .prepare<[], ServiceTotals>(
      `select service, count(*) as total, sum(status >= 400) as refused,
         sum(fault is not null) as injected, sum(${OWN_FAILURE}) as failures,
         min(arrived_at) as first_at
       from ${source} where ${OF_APPLICATION} group by 1`,
    )
    .all()
}

/** Returns the arrival of the oldest request. */
export function oldestOf(totals: readonly ServiceTotals[]): EpochMillis | undefined {
  return totals.map(({ first_at: at }) => at).toSorted((one, other) => one - other)[0]
}

function readTraffic(
  db: SystemDb,
  source: Source,
  { from, stepMillis }: TrafficSpan,
): readonly TrafficStep[] {
  return db
    .prepare<[number, number, number], TrafficStep>(
      `select cast((arrived_at - ?) / ? as integer) as step, count(*) as total, sum(status >= 400) as refused
       from ${source} where ${OF_APPLICATION} and arrived_at >= ? group by 1`,
    )
    .all(from, stepMillis, from)
}

/** Returns the last success of each project, service and route after an instant. */
export function readSuccesses(
  db: SystemDb,
  source: Source,
  after: EpochMillis,
): readonly SucceededRows[] {
  return db
    .prepare<[number, number], SucceededRows>(
      `select ${SENT_TO}, max(arrived_at) as last_at from ${source}
       where ${OF_APPLICATION} and status < 400 and fault is null and arrived_at > ?
       group by 1, 2, 3, 4 order by last_at desc limit ?`,
    )
    .all(after, MAX_ROWS)
}
