// Selects the parser for an imported file by the file's format.

import type { FileFormat } from '../../../contract/tables.ts'
import type { Table } from '../../../tables/table.ts'
import { CsvRows } from './csv-rows.ts'
import type { RowSink, RowSource } from './file-row.ts'
import { JsonRows } from './json-rows.ts'

export function rowSource(format: FileFormat, table: Table, sink: RowSink): RowSource {
  return format === 'csv' ? new CsvRows(table, sink) : new JsonRows(table, sink)
}
