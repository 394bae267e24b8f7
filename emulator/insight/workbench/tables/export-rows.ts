// Exports a whole table as a file in batches of limited size, each in its own transaction. Batches follow the primary key, so
// that a row that changes during the export appears once. Without a primary key, batches follow the rows' positions.
import type { FileFormat } from '../../../contract/tables.ts'
import { cellText, type StatementResult } from '../../../database/engine.ts'
import { EMPTY, identifier, join, type Sql, sql } from '../../../database/sql.ts'
import { columnList } from '../../tables/select-rows.ts'
import { type Column, keyColumns, tableOf } from '../../tables/table.ts'
import { type RowAccess, type RowAccessDeps, readAs } from './row-access.ts'

const FIRST_BATCH = 100
const LARGEST_BATCH = 5_000
/** Target size of a batch, in bytes. */
const BATCH_BYTES = 1_048_576

const MEDIA = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const

/** Exports the table. A later error ends the download early. @throws {SqlError} when the first rows cannot be read */
export async function exportRows(
  deps: RowAccessDeps,
  access: RowAccess,
  format: FileFormat,
): Promise<Response> {
  const batches = readBatches(deps, access, format)
  const first = await batches.next()
  const encoder = new TextEncoder()
  let next: typeof first | undefined = first
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = next ?? (await batches.next())
      next = undefined
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await batches.return(undefined)
    },
  })
  const fileName = encodeURIComponent(`${access.table.name}.${format}`)
  return new Response(body, {
    headers: {
      'content-type': MEDIA[format],
      'content-disposition': `attachment; filename*=UTF-8''${fileName}`,
      'x-content-type-options': 'nosniff',
    },
  })
}

async function* readBatches(
  deps: RowAccessDeps,
  access: RowAccess,
  format: FileFormat,
): AsyncGenerator<string, undefined> {
  const { columns } = access.table
  const key = access.table.key.length === 0 ? [] : keyColumns(access.table)
  const render = format === 'csv' ? csvLines : jsonLines
  let place: Place = { after: undefined, offset: 0 }
  let size = FIRST_BATCH
  // Sends the head together with the first rows, so that nothing is sent if the table cannot be read.
  let head = format === 'csv' ? csvLine(columns.map(({ name }) => name)) : '['
  for (;;) {
    const results = await readAs(deps, access, [
      FROM_THE_START,
      batch(access, format, key, place, size),
    ])
    const rows = results[1]?.rows ?? []
    yield head + (rows.length > 0 ? render(rows, key.length, place.offset === 0) : '')
    head = ''
    place = nextPlace(rows, key.length, place.offset)
    if (rows.length < size) break
    size = nextSize(rows, size)
  }
  if (format === 'json') yield '\n]\n'
}

// Turns off synchronised scans. A synchronised scan of a large table may start anywhere, so positions would differ between
// batches.
const FROM_THE_START: Sql = sql`select pg_catalog.set_config('synchronize_seqscans', 'off', true)`

interface Place {
  /** Key of the last exported row, or `undefined` before the first batch. */
  readonly after: readonly (string | null)[] | undefined
  readonly offset: number
}

// Selects the next batch. The key's cells are the first columns of the result.
function batch(
  { schemaName, table }: RowAccess,
  format: FileFormat,
  key: readonly Column[],
  { after, offset }: Place,
  size: number,
): Sql {
  const names = join(key.map(({ name }) => sql`t.${identifier(name)}`))
  const cells = format === 'csv' ? columnList(table.columns) : sql`row_to_json(t.*)::text`
  const select =
    key.length === 0 ? cells : table.columns.length === 0 ? EMPTY : sql`${names}, ${cells}`
  const from = sql`select ${select} from ${tableOf(schemaName, table)} as t`
  if (key.length === 0) return sql`${from} limit ${size}::bigint offset ${offset}::bigint`
  const where =
    after === undefined
      ? EMPTY
      : sql` where (${names}) > (${join(after.map((value) => sql`${value}`))})`
  return sql`${from}${where} order by ${names} limit ${size}::bigint`
}

type Rows = StatementResult['rows']

function nextPlace(rows: Rows, keyLength: number, offset: number): Place {
  return {
    after: rows
      .at(-1)
      ?.slice(0, keyLength)
      .map((cell) => cellText(cell) ?? null),
    offset: offset + rows.length,
  }
}

function nextSize(rows: Rows, size: number): number {
  let bytes = 1
  for (const row of rows) for (const cell of row) bytes += cell?.length ?? 0
  const wanted = Math.floor((size * BATCH_BYTES) / bytes)
  return Math.max(1, Math.min(wanted, size * 4, LARGEST_BATCH))
}

function jsonLines(rows: Rows, keyLength: number, isFirst: boolean): string {
  const lines = rows.map((row) => cellText(row[keyLength]) ?? 'null')
  return `${isFirst ? '' : ','}\n${lines.join(',\n')}`
}

function csvLines(rows: Rows, keyLength: number): string {
  return rows
    .map((row) => csvLine(row.slice(keyLength).map((cell) => cellText(cell) ?? null)))
    .join('')
}

function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

// An empty field means null, so an empty text is written as `""`.
function csvCell(cell: string | null): string {
  if (cell === null) return ''
  return cell === '' || /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
