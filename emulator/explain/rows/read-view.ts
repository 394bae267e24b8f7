// A view hides rows in its own way: its rows are what the identity really reads through it, read-only.
import type { Explanation } from '../../contract/explain.ts'
import type { RowCommand } from '../../contract/values.ts'
import { runAs } from '../../database/as-principal.ts'
import { SqlError } from '../../database/engine.ts'
import type { Evaluation } from './evaluate.ts'
import { type RowSelection, refuseValue, selectionStatements, storedRows } from './read-rows.ts'

type ThroughView = Pick<Explanation, 'rows' | 'total' | 'allowed_total' | 'table'>

const TIME_LIMIT_MILLIS = 5_000

/** @throws {InspectorError} `invalid_request` for a filter that does not fit */
export async function readThroughView(
  { engine, table, principal, method }: Evaluation,
  { selection, command }: { readonly selection: RowSelection; readonly command: RowCommand },
  answer: Explanation['table'],
): Promise<ThroughView> {
  try {
    const { results } = await runAs(engine, principal, {
      settings: { method, path: `/${table.name}`, headers: '{}' },
      mode: 'readOnly',
      statements: selectionStatements(table, selection),
      end: 'rollback',
      timeoutMillis: TIME_LIMIT_MILLIS,
    })
    const { rows, total } = storedRows(table, results)
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
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    if (error.code.startsWith('22')) refuseValue(error)
    const sentence = `${table.name} cannot be read: ${error.message} (SQLSTATE ${error.code}). ${answer.sentence}`
    return {
      rows: [],
      total: 0,
      allowed_total: 0,
      table: { ...answer, verdict: 'error', sentence },
    }
  }
}
