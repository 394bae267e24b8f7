// Imports all rows of a file into a table, or none. Reports each problem with its line (contract/tables.ts, import).

import type { FileFormat, RowEditsAnswer } from '../../../../contract/tables.ts'
import { SqlError } from '../../../../database/engine.ts'
import { type Sql, sql } from '../../../../database/sql.ts'
import { InspectorError } from '../../../api-kit/errors.ts'
import { type Table, tableOf } from '../../../tables/table.ts'
import { refusalOf } from '../refuse-sql.ts'
import { type RowAccess, type RowAccessDeps, writeAs } from '../row-access.ts'
import { CsvRows } from './csv-rows.ts'
import {
  type FileRow,
  type ImportProblem,
  MAX_PROBLEMS,
  type RowSink,
  type RowSource,
} from './file-row.ts'
import { findProblems } from './find-problems.ts'
import { JsonRows } from './json-rows.ts'
import { type Batch, batchesOf, intoColumns } from './row-batches.ts'

const MAX_FILE_BYTES = 50 * 1_048_576
const MAX_ROWS = 1_000_000

/** @throws {InspectorError} `import_refused`, `body_too_large` and errors of Postgres */
export async function importRows(
  deps: RowAccessDeps,
  access: RowAccess,
  format: FileFormat,
  file: ReadableStream<Uint8Array> | null,
): Promise<RowEditsAnswer> {
  const rows = await readFile(access, format, file)
  const batches = batchesOf(rows)
  if (batches.length === 0) return { rows_changed: 0, rows_not_found: 0 }
  try {
    const { results } = await writeAs(
      deps,
      access,
      batches.map((batch) => insertion(access, batch)),
    )
    const counts = results.map(({ commandTag }) => Number(/\d+$/.exec(commandTag)?.[0] ?? 0))
    return { rows_changed: counts.reduce((sum, count) => sum + count, 0), rows_not_found: 0 }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    if (!isOfRows(error)) throw refusalOf(error)
    const problems = await findProblems(deps, access, batches)
    throw problems.length > 0 ? refused(problems) : refusalOf(error)
  }
}

async function readFile(
  { table }: RowAccess,
  format: FileFormat,
  file: ReadableStream<Uint8Array> | null,
): Promise<readonly FileRow[]> {
  const rows: FileRow[] = []
  const problems: ImportProblem[] = []
  const problem = (found: ImportProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(found)
  }
  const source = rowSource(format, table, {
    row: (row) => {
      if (row.columns.length === 0)
        problem({
          line: row.line,
          column: null,
          message: 'the row contains no column that can be written',
        })
      else if (rows.length === MAX_ROWS) throw tooLarge(`${MAX_ROWS} rows`)
      else if (problems.length === 0) rows.push(row)
    },
    problem,
  })
  // The decoder removes a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const piece of file ?? []) {
    bytes += piece.length
    if (bytes > MAX_FILE_BYTES) throw tooLarge('50 MB')
    source.push(decodedOr(() => decoder.decode(piece, { stream: true })))
  }
  source.push(decodedOr(() => decoder.decode()))
  source.end()
  if (problems.length > 0) throw refused(problems)
  return rows
}

/** Creates the parser of a file of the given format. */
export function rowSource(format: FileFormat, table: Table, sink: RowSink): RowSource {
  return format === 'csv' ? new CsvRows(table, sink) : new JsonRows(table, sink)
}

function decodedOr(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw refused([{ line: null, column: null, message: 'the file is not UTF-8 text' }])
  }
}

/** Builds the statement that inserts a batch. */
export function insertion(access: RowAccess, batch: Batch): Sql {
  const given = `[${batch.rows.map(({ json }) => json).join(',')}]`
  const table = tableOf(access.schemaName, access.table)
  return sql`${intoColumns(access, batch)} json_populate_recordset(null::${table}, ${given}::json) as given`
}

/** Whether a row may have caused the error. A cancelled statement or a failure of the engine returns false. */
export function isOfRows({ code }: SqlError): boolean {
  return !['57', '53', '58', 'XX'].includes(code.slice(0, 2)) && code !== '42P01'
}

function refused(problems: readonly ImportProblem[]): InspectorError {
  const [first] = problems
  const more = problems.length > 1 ? ` There are ${problems.length} problems.` : ''
  const where = first?.line === null || first === undefined ? '' : `line ${first.line}: `
  return new InspectorError(
    'import_refused',
    `Nothing was imported. ${where}${first?.message ?? ''}.${more}`,
    { fields: { problems } },
  )
}

function tooLarge(most: string): InspectorError {
  return new InspectorError(
    'body_too_large',
    `Nothing was imported: the file has more than ${most}.`,
    { hint: 'Split the file into several files.' },
  )
}
