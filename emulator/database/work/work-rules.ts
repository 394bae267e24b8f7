// Decisions about a tenant's work that both engines take alike (engine.ts, TenantWork). Pure.
import { cellText, type Postcondition, type StatementResult, type TenantWork } from '../engine.ts'

/** Why COPY FROM STDIN ends with an error. The engines send no data after it. */
export const COPY_REFUSED = 'COPY FROM STDIN is not available here'

/** Whether the result decides between commit and rollback. A rollback of work that cannot write needs no decision. */
export function isHeldOpen({
  mode,
  end,
  postcondition,
  refusesLargeResults,
}: Pick<TenantWork, 'mode' | 'end' | 'postcondition' | 'refusesLargeResults'>): boolean {
  if (postcondition !== undefined) return true
  return mode === 'readWrite' && (end === 'rollback' || refusesLargeResults === true)
}

const STALE_STATEMENT: ReadonlySet<string> = new Set(['26000', '0A000'])
/** Postgres does not plan a prepared statement again when it contains a constant with the row type of a dropped table. */
const DROPPED_TYPE = /^(cache lookup failed for type|type with OID) \d/

/**
 * Whether a prepared statement is gone, or names an object that has changed. Postgres rolls the transaction back with such an
 * error, so the work can be repeated.
 */
export function isStale({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): boolean {
  return STALE_STATEMENT.has(code) || DROPPED_TYPE.test(message)
}

/** Whether the results fulfil the condition of the commit. */
export function holds(
  condition: Postcondition | undefined,
  results: readonly StatementResult[],
): boolean {
  if (condition === undefined) return true
  const cell = cellText(results[condition.statement]?.rows[0]?.[condition.column])
  const value = Number(cell ?? Number.NaN)
  return value >= condition.min && value <= condition.max
}

/** The message of `RESULT_TOO_LARGE`. */
export function tooLargeText({ maxResultBytes }: Pick<TenantWork, 'maxResultBytes'>): string {
  return `the result has more than ${maxResultBytes} bytes of rows`
}
