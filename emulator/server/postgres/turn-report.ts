// Reports clients of the Postgres port to the journal: each login and each turn as a request.
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { Observer, RequestFacts, RequestFinished } from '../../core/observation.ts'
import type { PostgresLogin, TurnEnd } from '../../core/postgres-session.ts'
import type { EpochMillis } from '../../core/time.ts'

export interface ReportDeps {
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  /** Platform time. */
  readonly at: EpochMillis
  /** Wall time. */
  readonly started: EpochMillis
}

const TARGET_LENGTH = 300

/** Reports a login, successful or refused. */
export function observeLogin(
  deps: ReportDeps,
  user: string,
  login: PostgresLogin | undefined,
  error: unknown,
): void {
  if (user === '' && error === undefined) return
  const refusal = error instanceof EmulatorError ? error : undefined
  report(deps, login, {
    method: 'LOGIN',
    target: user,
    status: error === undefined ? 200 : statusOf(refusal?.code),
    facts: {},
    error: refusal,
  })
}

/** Reports the statements of a turn. Reports nothing when the turn ran none. */
export function observeTurn(
  deps: ReportDeps,
  login: PostgresLogin | undefined,
  statement: string,
  end: Pick<TurnEnd, 'error'> & Partial<TurnEnd>,
): void {
  if (statement === '' && end.error === undefined) return
  const { commandTag, error } = end
  const rowCount = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|FETCH|MOVE)\b.* (\d+)$/.exec(
    commandTag ?? '',
  )?.[1]
  report(deps, login, {
    method: methodOf(statement, commandTag),
    target: statement.replace(/\s+/g, ' ').slice(0, TARGET_LENGTH),
    status: error === undefined ? 200 : statusOf(error.code),
    facts: { statement, ...(rowCount === undefined ? {} : { rowCount: Number(rowCount) }) },
    error,
  })
}

function report(
  { wallClock, ids, observe, at, started }: ReportDeps,
  login: PostgresLogin | undefined,
  entry: Pick<RequestFinished, 'method' | 'target' | 'status'> & {
    readonly facts: RequestFacts
    readonly error: { readonly code: string; readonly message: string } | undefined
  },
): void {
  const { method, target, status, facts, error } = entry
  observe({
    kind: 'requestFinished',
    requestId: ids.id('req_'),
    service: 'postgres',
    method,
    target,
    status,
    receivedAt: at,
    durationMillis: wallClock.now() - started,
    facts:
      login === undefined
        ? facts
        : {
            ...facts,
            schemaName: login.schemaName,
            role: login.role,
            credentialKind: 'postgresPassword',
          },
    ...(error === undefined ? {} : { errorCode: error.code, errorMessage: error.message }),
  })
}

// Returns the first word of the command tag. Without a tag, returns the first word of the statement.
function methodOf(statement: string, commandTag: string | undefined): string {
  return (/\w+/.exec(commandTag ?? statement)?.[0] ?? 'SQL').toUpperCase().slice(0, 20)
}

// Maps SQLSTATE codes to HTTP statuses, so that every journal entry has a status.
function statusOf(sqlState: string | undefined): number {
  if (sqlState === undefined || /^(XX|57P|58)/.test(sqlState)) return 500
  if (sqlState.startsWith('28')) return 401
  if (sqlState === '42501') return 403
  if (sqlState === '57014') return 504
  if (sqlState === '53300') return 503
  return 400
}
