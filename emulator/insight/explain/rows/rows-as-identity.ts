// Reads rows as an identity where evaluating policies is not enough. This is so for views, and for policies that use system
// columns (tableoid, ctid).
import type { Explanation } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import { asPrincipal } from '../../../database/as-principal.ts'
import { SqlError, type StatementResult } from '../../../database/engine.ts'
import type { Sql } from '../../../database/sql.ts'
import type { RowSelection } from '../../tables/select-rows.ts'
import { readingSettings } from '../../visibility/ask-identities.ts'
import { type Evaluation, TIME_LIMIT_MILLIS } from './evaluate.ts'
import { recordStatements, refuseValue, type StoredRows, storedRows } from './stored-rows.ts'

const UNDEFINED_COLUMN = '42703'
/** Maximum number of rows read when policies cannot be evaluated in parts. */
const MAX_SEEN = 10_000

type ThroughView = Pick<Explanation, 'rows' | 'total' | 'allowed_total' | 'table'>

/**
 * Explains the rows of a view by reading the view as the identity.
 * @throws {InspectorError} `invalid_request` for an invalid filter
 */
export async function readThroughView(
  evaluation: Evaluation,
  { selection, command }: { readonly selection: RowSelection; readonly command: RowCommand },
  answer: Explanation['table'],
): Promise<ThroughView> {
  const read = await readAsIdentity(evaluation, selection)
  if (read instanceof SqlError) {
    if (read.code.startsWith('22')) refuseValue(read)
    const { name } = evaluation.table
    const sentence = `${name} cannot be read: ${read.message} (SQLSTATE ${read.code}). ${answer.sentence}`
    const table = { ...answer, verdict: 'error', sentence } as const
    return { rows: [], total: 0, allowed_total: 0, table }
  }
  const { rows, total } = read
  const allowed = command === 'select'
  const reason = allowed ? 'shown by the view' : 'decided by the tables behind the view'
  const verdicts = rows.map(({ key, cells }) => ({
    key,
    row: cells,
    new_row: null,
    allowed,
    reason,
    sentence: answer.sentence,
    deciding: [],
    clauses: [],
  }))
  return { rows: verdicts, total, allowed_total: allowed ? total : 0, table: answer }
}

/**
 * Returns whether the error comes from evaluating parts alone, so that Postgres may still evaluate the whole policy on stored
 * rows.
 */
export function isOfStoredRows({ code }: SqlError): boolean {
  return code === UNDEFINED_COLUMN
}

/** Returns the selected rows that the identity can read, or the error when it cannot read the table. */
export function visibleRows(
  evaluation: Evaluation,
  selection: RowSelection,
): Promise<StoredRows | SqlError> {
  // Ignores the requested page, because the identity's pages differ from the pages of all rows.
  return readAsIdentity(evaluation, { ...selection, limit: MAX_SEEN, offset: 0 })
}

/** Counts the selected rows that the identity can read. Returns the error when Postgres cannot count the rows, or not in time. */
export async function countVisible(
  evaluation: Evaluation,
  selection: RowSelection,
): Promise<number | SqlError> {
  const [count] = recordStatements(evaluation.table, selection)
  const results = await answersAsIdentity(evaluation, [count])
  return results instanceof SqlError ? results : storedRows(evaluation.table, results).total
}

async function readAsIdentity(
  evaluation: Evaluation,
  selection: RowSelection,
): Promise<StoredRows | SqlError> {
  const results = await answersAsIdentity(evaluation, recordStatements(evaluation.table, selection))
  return results instanceof SqlError ? results : storedRows(evaluation.table, results)
}

async function answersAsIdentity(
  { engine, table, principal, method }: Evaluation,
  statements: readonly Sql[],
): Promise<readonly StatementResult[] | SqlError> {
  try {
    const { results } = await engine.run({
      ...asPrincipal(principal, { ...readingSettings(table.name), method }),
      mode: 'readOnly',
      statements,
      end: 'rollback',
      timeoutMillis: TIME_LIMIT_MILLIS,
    })
    return results
  } catch (error) {
    if (error instanceof SqlError) return error
    throw error
  }
}
