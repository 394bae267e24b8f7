// Runs SELECTs in a project that runs elsewhere. All SQL that a pull, a check or a rehearsal sends to such a project goes
// through this file.
import type { JsonObject } from '../../../core/json.ts'
import { type Sql, script, sql } from '../../../database/sql.ts'
import type { Exec } from '../apply/fleet.ts'
import { RemoteError } from '../remote/remote-error.ts'

/** Makes the transaction read-only, because a query can call functions that write, for example through a view. */
const READ_ONLY: Sql = sql`select set_config('transaction_read_only', 'on', true)`

/** Returns an `exec` whose transactions cannot write. */
export function readingOnly(exec: Exec): Exec {
  return (text) => exec(`${READ_ONLY.text}; ${text}`)
}

/** Runs SELECTs in one read-only transaction. Returns the rows of the last SELECT. @throws {RemoteError} `sql_failed` */
export async function selectRows(
  exec: Exec,
  statements: readonly Sql[],
): Promise<readonly JsonObject[]> {
  const outcome = await readingOnly(exec)(script(statements).text)
  if (outcome.kind === 'done') return outcome.rows
  const { code, message } = outcome
  throw new RemoteError('sql_failed', `The project refused a query: ${message} (${code}).`, {
    hint:
      code === '54000'
        ? 'Pull fewer rows with --row-limit, or fewer tables with --rows.'
        : 'Nothing was changed there. Check that the owner role of the project may read its own tables.',
  })
}
