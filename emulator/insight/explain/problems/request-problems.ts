// Finds the problems that the journal shows, by cause: failures, refusals, slow requests and injected faults. Each problem has a
// state, which depends on the last change that can have ended the problem.
import type { Problem, ProblemState } from '../../../contract/home.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import type { Clock } from '../../../core/clock.ts'
import { parseSchemaName } from '../../../core/names.ts'
import { type EpochMillis, MINUTE_MILLIS, toIso } from '../../../core/time.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { FaultBook } from '../../faults/fault-book.ts'
import type { FailedRows, JournalCauses } from '../../journal/cause-rows.ts'
import type { Journal } from '../../journal/journal.ts'
import { decides, faultSentence, sentences } from '../requests/chain.ts'
import { adviceOf } from '../requests/recorded-request.ts'
import { groupFailed, groupSlow, type RequestCause, routeKey } from './group-requests.ts'
import type { LastChange, LastChanges } from './last-changes.ts'

export interface RequestProblemDeps {
  readonly journal: Pick<Journal, 'read' | 'successes' | 'findExplanation'>
  readonly faults: Pick<FaultBook, 'find' | 'list'>
  readonly projects: Pick<ProjectRegistry, 'findProjectBySchema'>
  readonly changes: LastChanges
  readonly wallClock: Clock
}

/** A problem whose texts are created only when the problem is shown. */
export interface FoundProblem extends Pick<Problem, 'kind' | 'state'> {
  readonly lastAt: EpochMillis
  show(): Problem
}

/** Wall-clock milliseconds after its last request for which a problem counts as still happening. */
const RECENT_MILLIS: number = 5 * MINUTE_MILLIS

export function requestProblems(
  deps: RequestProblemDeps,
  { failed, slow }: JournalCauses,
): readonly FoundProblem[] {
  const causes = [...groupFailed(failed, (row) => wasInjected(deps, row)), ...groupSlow(slow)]
  const changed = causes.map((cause) => ({ cause, last: lastChange(deps, cause) }))
  const ended = changed.flatMap(({ cause, last }) =>
    last !== undefined && cause.lastAt < last.at ? [cause.lastAt] : [],
  )
  const successes = new Map(
    ended.length === 0
      ? []
      : deps.journal
          .successes(ended.reduce((one, other) => (one < other ? one : other)))
          .map((row) => [routeKey(row), row.last_at] as const),
  )
  const armed = new Set(deps.faults.list().map(({ id }) => id))
  return changed.map(({ cause, last }) => {
    const state =
      cause.fault === null
        ? stateOf(deps, cause, { last, succeededAt: lastSuccess(cause, successes) })
        : stateOfFault(armed.has(cause.fault))
    const { kind, lastAt } = cause
    return { kind, lastAt, state, show: () => shownCause(deps, cause, state) }
  })
}

/** Counts the refused requests whose answer a fault decided. A fault that only delayed a refusal did not decide it. */
export function refusedByFault(
  deps: Pick<RequestProblemDeps, 'faults'>,
  { failed }: Pick<JournalCauses, 'failed'>,
): number {
  return failed
    .filter((row) => row.status >= 400 && wasInjected(deps, row))
    .reduce((sum, { count }) => sum + count, 0)
}

function wasInjected({ faults }: Pick<RequestProblemDeps, 'faults'>, row: FailedRows): boolean {
  return row.fault !== null && decides(faults.find(row.fault), row)
}

// Returns the last success of any of the routes.
function lastSuccess(
  { routes }: RequestCause,
  successes: ReadonlyMap<string, EpochMillis>,
): EpochMillis | undefined {
  return routes
    .flatMap((route) => successes.get(route) ?? [])
    .reduce<EpochMillis | undefined>(
      (latest, at) => (latest === undefined || at > latest ? at : latest),
      undefined,
    )
}

// A change of the structure does not end the refusal of a credential, and new keys do not end the refusal of a policy.
function lastChange(
  { changes }: Pick<RequestProblemDeps, 'changes'>,
  { fault, isOfAllRoutes, schemaName }: RequestCause,
): LastChange | undefined {
  if (fault !== null) return undefined
  return changes.of(schemaName, isOfAllRoutes ? 'keys' : 'structure')
}

function stateOf(
  { wallClock }: Pick<RequestProblemDeps, 'wallClock'>,
  { lastAt }: RequestCause,
  {
    last,
    succeededAt,
  }: { readonly last: LastChange | undefined; readonly succeededAt: EpochMillis | undefined },
): ProblemState {
  const isGone = last !== undefined && lastAt < last.at
  const isRecent = wallClock.now() - lastAt < RECENT_MILLIS
  const hasSucceeded = isGone && succeededAt !== undefined && succeededAt > last.at
  return {
    is: isGone ? 'gone' : isRecent ? 'happening' : 'quiet',
    change: last?.change ?? null,
    changed_at: last === undefined ? null : toIso(last.at),
    succeeded_at: hasSucceeded ? toIso(succeededAt) : null,
  }
}

function stateOfFault(isArmed: boolean): ProblemState {
  return {
    is: isArmed ? 'happening' : 'gone',
    change: isArmed ? null : 'disarmed',
    changed_at: null,
    succeeded_at: null,
  }
}

function shownCause(deps: RequestProblemDeps, cause: RequestCause, state: ProblemState): Problem {
  const [entry] = deps.journal.read({ before: cause.sequence + 1, limit: 1 })
  const { code, count, firstAt, key, kind, lastAt, schemaNames, service, slowestMillis } = cause
  return {
    key,
    kind,
    cause: entry === undefined ? '' : sentenceOf(deps, cause, entry),
    where: cause.where ?? null,
    tenants: schemaNames.flatMap((name) => slugOf(deps, name) ?? []),
    severity: null,
    is_tenant_claimed: cause.isSchemaClaimed,
    service,
    status: cause.status,
    code,
    count,
    slowest_ms: slowestMillis,
    first_seen: toIso(firstAt),
    last_seen: toIso(lastAt),
    state,
    see:
      cause.fault === null
        ? { at: 'request', request_id: entry?.request_id ?? '' }
        : { at: 'fault', fault: cause.fault },
  }
}

function slugOf(
  { projects }: Pick<RequestProblemDeps, 'projects'>,
  schemaName: string,
): string | undefined {
  const named = parseSchemaName(schemaName)
  return named && projects.findProjectBySchema(named)?.slug
}

function sentenceOf(
  { faults, journal }: RequestProblemDeps,
  { count, fault, kind, slowestMillis }: RequestCause,
  entry: JournalEntry,
): string {
  if (fault !== null) return faultSentence(faults.find(fault))
  if (kind === 'slow')
    return `The slowest request took ${Math.round(slowestMillis ?? 0).toLocaleString('en-US')} ms.`
  const explained = journal.findExplanation(entry)
  const broken = explained?.links.find(({ state }) => state === 'broken')
  // Each request of the group has its own explanation, so the text names the newest request.
  if (broken !== undefined) return count === 1 ? broken.sentence : `The newest: ${broken.sentence}`
  const { error_message: message, status } = entry
  const cause = adviceOf(entry)?.cause
  return cause === undefined
    ? (message ?? `The answer has the status ${status}.`)
    : sentences(cause, message)
}
