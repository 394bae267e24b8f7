// Answers GET /home: joins the problems of requests, audits and fleets, and reads totals and health at the same moment.
import type { Home, Problem } from '../../../contract/home.ts'
import {
  type EpochMillis,
  MINUTE_MILLIS,
  plusMillis,
  SECOND_MILLIS,
  toIso,
} from '../../../core/time.ts'
import {
  type FoundProblem,
  type RequestProblemDeps,
  refusedByFault,
  requestProblems,
} from '../../../insight/explain/problems/request-problems.ts'
import {
  type JournalCauses,
  oldestOf,
  type TrafficSpan,
} from '../../../insight/journal/cause-rows.ts'
import { askDatabase, emulatorFacts, type OverviewDeps, servicesOf } from './overview.ts'
import {
  auditProblems,
  checksOf,
  driftProblems,
  type TenantProblemDeps,
} from './tenant-problems.ts'

export interface HomeDeps extends RequestProblemDeps, TenantProblemDeps {}

/** Wall-clock milliseconds from which a request counts as slow. */
const SLOW_MILLIS = 500
const TRAFFIC_STEPS = 60
const TRAFFIC_STEP_MILLIS: readonly number[] = [1, 5, 10, 30, 60].map((s) => s * SECOND_MILLIS)

export async function showHome(
  overview: OverviewDeps,
  deps: HomeDeps,
  limit: number,
): Promise<Home> {
  const now = deps.wallClock.now()
  const database = await askDatabase(overview)
  const causes = overview.journal.causes({
    slowFromMillis: SLOW_MILLIS,
    spanOf: (oldest) => trafficSpan(now, oldest),
  })
  const found = [
    ...requestProblems(deps, causes),
    ...auditProblems(deps),
    ...driftProblems(deps),
  ].toSorted(byUrgency)
  return {
    ...emulatorFacts(overview),
    services: servicesOf(overview, database, causes.totals),
    requests: totalsOf(deps, causes),
    traffic: {
      from: toIso(causes.span.from),
      step_ms: causes.span.stepMillis,
      steps: stepsOf(causes),
    },
    problems: found.slice(0, limit).map((problem) => problem.show()),
    causes: found.length,
    is_whole: causes.isWhole,
    checks: checksOf(deps),
  }
}

/** Returns a span back to the oldest request, but of at most an hour. The last step of the span contains the current time. */
function trafficSpan(now: EpochMillis, oldest: EpochMillis | undefined): TrafficSpan {
  const reach = now - (oldest ?? now)
  const stepMillis =
    TRAFFIC_STEP_MILLIS.find((step) => reach < TRAFFIC_STEPS * step) ?? MINUTE_MILLIS
  const end = Math.ceil((now + 1) / stepMillis) * stepMillis
  return { from: plusMillis(now, end - now - TRAFFIC_STEPS * stepMillis), stepMillis }
}

function stepsOf({ traffic }: JournalCauses): Home['traffic']['steps'] {
  const byStep = new Map(traffic.map((one) => [one.step, one]))
  return Array.from({ length: TRAFFIC_STEPS }, (_, at) => {
    const { refused = 0, total = 0 } = byStep.get(at) ?? {}
    return { total, refused }
  })
}

function totalsOf(deps: HomeDeps, causes: JournalCauses): Home['requests'] {
  const { totals } = causes
  const sum = (of: 'injected' | 'refused' | 'total') =>
    totals.reduce((all, one) => all + one[of], 0)
  const first = oldestOf(totals)
  return {
    total: sum('total'),
    refused: sum('refused'),
    injected: sum('injected'),
    refused_by_fault: refusedByFault(deps, causes),
    since: first === undefined ? null : toIso(first),
  }
}

const STATE_RANK: Readonly<Record<Problem['state']['is'], number>> = {
  happening: 0,
  quiet: 1,
  gone: 2,
}
const KIND_RANK: Readonly<Record<Problem['kind'], number>> = {
  failure: 0,
  refusal: 1,
  finding: 2,
  drift: 3,
  slow: 4,
  fault: 5,
}

function byUrgency(one: FoundProblem, other: FoundProblem): number {
  return (
    STATE_RANK[one.state.is] - STATE_RANK[other.state.is] ||
    KIND_RANK[one.kind] - KIND_RANK[other.kind] ||
    other.lastAt - one.lastAt
  )
}
