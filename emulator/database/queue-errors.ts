// The errors of jobs that the engine's queue cancels, refuses or loses.
import { SqlError } from './engine.ts'

/** The limits of work while other work is queued, in wall-clock milliseconds. */
export interface EngineBounds {
  /** The queue cancels a statement when other jobs have waited this long for it. */
  readonly blockingMillis: number
  /** The queue refuses a job that has not begun this long after its arrival. */
  readonly queueMillis: number
}

export const DEFAULT_BOUNDS: EngineBounds = { blockingMillis: 10_000, queueMillis: 30_000 }

/** With `blocking`, other jobs have waited too long for this statement. */
export type CancelReason = 'timeout' | 'abort' | 'blocking'

export const CANCELLED = '57014'
/** The SQLSTATE too_many_connections means that the job was not begun. */
const TOO_BUSY = '53300'
/** The SQLSTATE cannot_connect_now means that the engine has not started. */
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

/** Retry-After of refused work, in seconds. */
const RETRY_WHEN_BUSY_SECONDS = 5

/** The error of a job that was not begun within `queueMillis`. */
export function busyError({ queueMillis }: EngineBounds): SqlError {
  return new SqlError(
    TOO_BUSY,
    `the database was busy with other work for ${seconds(queueMillis)} s, and this work was not begun`,
    {
      hint: 'Nothing was changed; try again later, or start Tenantry with a longer --max-queue.',
      retryAfterSeconds: RETRY_WHEN_BUSY_SECONDS,
    },
  )
}

export function closedError(): SqlError {
  return new SqlError('57P02', 'the database is closed')
}

/** The error of jobs that are refused while the engine is down. */
export function downError(message: string, retryAfterSeconds: number): SqlError {
  return new SqlError(NOT_STARTED, message, {
    hint: `Nothing was changed. Tenantry starts the database again in ${retryAfterSeconds} s; try again then.`,
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
        hint: 'All data of this database is gone. Start Tenantry again, with a data directory if the data must survive.',
      })
}

function seconds(millis: number): number {
  return millis / 1_000
}
