// The errors of jobs that the engine's queue cancels, refuses or loses.
import { SqlError } from '../../engine.ts'

/** How long work may take while other work is queued, in wall milliseconds. */
export interface EngineBounds {
  /** A statement is cancelled when other jobs have waited this long for it. */
  readonly blockingMillis: number
  /** A job that has not begun this long after it arrived is refused. */
  readonly queueMillis: number
}

export const DEFAULT_BOUNDS: EngineBounds = { blockingMillis: 10_000, queueMillis: 30_000 }

/** `blocking`: other jobs have waited too long for this statement. */
export type CancelReason = 'timeout' | 'abort' | 'blocking'

export const CANCELLED = '57014'
/** too_many_connections: the job was not begun. */
const TOO_BUSY = '53300'
/** cannot_connect_now: the engine has not started. */
const NOT_STARTED = '57P03'
const RETRY_AFTER_RESTART_SECONDS = 1

export function cancelError(reason: CancelReason, { blockingMillis }: EngineBounds): SqlError {
  switch (reason) {
    case 'timeout':
      return new SqlError(CANCELLED, 'canceling statement due to statement timeout')
    case 'abort':
      return new SqlError(CANCELLED, 'canceling statement due to user request')
    case 'blocking':
      return new SqlError(
        CANCELLED,
        `canceling statement because other work has waited ${seconds(blockingMillis)} s for it`,
        {
          hint: 'All projects share one database, which runs one statement at a time. Split the work into shorter statements, or start Tenantry with a longer --max-blocking.',
        },
      )
    default:
      return reason satisfies never
  }
}

/** The error of a job that was not begun within `queueMillis`. */
export function busyError({ queueMillis }: EngineBounds, retryAfterSeconds: number): SqlError {
  return new SqlError(
    TOO_BUSY,
    `the database was busy with other work for ${seconds(queueMillis)} s, and this work was not begun`,
    {
      hint: 'Nothing was changed; try again later. The bound is set with --max-queue.',
      retryAfterSeconds,
    },
  )
}

export function closedError(): SqlError {
  return new SqlError('57P02', 'the database is closed')
}

/** The engine is down: jobs are refused until it has started again. */
export function downError(message: string, retryAfterSeconds: number): SqlError {
  return new SqlError(NOT_STARTED, message, {
    hint: `Tenantry starts it again in ${retryAfterSeconds} s; nothing was changed, try again then.`,
    retryAfterSeconds,
  })
}

/** @param isDurable whether committed data survives the engine's death */
export function diedError(reason: string, isDurable: boolean): SqlError {
  return isDurable
    ? new SqlError('57P02', `the database engine was restarted: ${reason}`, {
        hint: 'Committed data is intact; try again.',
        retryAfterSeconds: RETRY_AFTER_RESTART_SECONDS,
      })
    : new SqlError('57P02', `the in-memory database was lost: ${reason}`, {
        hint: 'All its data is gone; start again, with a data directory if the data must survive.',
      })
}

function seconds(millis: number): number {
  return millis / 1_000
}
