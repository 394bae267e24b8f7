// Why a job of the engine's queue has no answer.
import { SqlError } from './engine.ts'

export type CancelReason = 'timeout' | 'abort'

export const CANCELLED = '57014'

export function cancelError(reason: CancelReason): SqlError {
  return new SqlError(
    CANCELLED,
    reason === 'timeout'
      ? 'canceling statement due to statement timeout'
      : 'canceling statement due to user request',
  )
}

export function closedError(): SqlError {
  return new SqlError('57P02', 'the database is closed')
}

/** @param isDurable whether what was committed survives the engine's death */
export function diedError(reason: string, isDurable: boolean): SqlError {
  return isDurable
    ? new SqlError('57P02', `the database engine was restarted: ${reason}`, {
        hint: 'Committed data is intact; try again.',
      })
    : new SqlError('57P02', `the in-memory database was lost: ${reason}`, {
        hint: 'All its data is gone; start again, with a data directory if the data must survive.',
      })
}
