// Where policies name what only a stored row has (tableoid, ctid), their parts cannot be evaluated apart. Then the real
// SELECT of the identity says which rows it sees, and no tree says why.
import { runAs } from '../../database/as-principal.ts'
import { SqlError } from '../../database/engine.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import type { Evaluation } from './evaluate.ts'
import { type RowSelection, selectionStatements, storedRows } from './read-rows.ts'

const TIME_LIMIT_MILLIS = 5_000
const UNDEFINED_COLUMN = '42703'

/** Whether Postgres may well evaluate what we cannot. */
export function isOfStoredRows({ code }: SqlError): boolean {
  return code === UNDEFINED_COLUMN
}

/** Texts of the records that the identity really sees among those selected, or why it sees none. */
export async function reallyVisible(
  { engine, table, principal, method }: Evaluation,
  selection: RowSelection,
): Promise<ReadonlySet<string> | SqlError> {
  try {
    // Pages of what is seen are others than pages of what there is.
    const whole = { ...selection, limit: 10_000, offset: 0 }
    const { results } = await runAs(engine, principal, {
      settings: { method, path: `/${table.name}`, headers: '{}', others: PLAIN_FORMATS },
      mode: 'readOnly',
      statements: selectionStatements(table, whole),
      end: 'rollback',
      timeoutMillis: TIME_LIMIT_MILLIS,
    })
    return new Set(storedRows(table, results).rows.map(({ text }) => text))
  } catch (error) {
    if (error instanceof SqlError) return error
    throw error
  }
}
