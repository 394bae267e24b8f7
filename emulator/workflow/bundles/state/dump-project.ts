// Reads a project as the lines of its file in a bundle. The caller makes sure that no request runs.
import type { SchemaName } from '../../../core/names.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import {
  identifier,
  join,
  literal,
  readScript,
  type Sql,
  sql,
  verbatim,
} from '../../../database/sql.ts'
import { dumpStatements } from '../../../database/template/dump-statements.ts'
import { loadStructure, type SchemaStructure } from '../../../database/template/structure.ts'
import { AUTH_TABLE_COLUMNS } from '../../../database/tenant-schema/auth-table-columns.ts'
import type { ProjectLine, RowsLine, SequenceLine } from './project-lines.ts'

export interface ProjectSource {
  readonly engine: Engine
  readonly reader: RowReader
}

/** @throws {SqlError} */
export async function* dumpProject(
  { engine, reader }: ProjectSource,
  schemaName: SchemaName,
): AsyncGenerator<ProjectLine> {
  const structure = await loadStructure(engine, schemaName)
  const { afterRows, beforeRows, refresh } = dumpStatements(structure)
  yield {
    line: 'structure',
    comment: structure.schemaComment ?? null,
    before_rows: beforeRows.map(textOf),
    after_rows: afterRows.map(textOf),
    refresh: refresh.map(textOf),
  }
  const { sequences, tables } = await readSizes(engine, schemaName)
  for (const part of inParts(piecesOf(structure, tables))) {
    const results = await reader.read(
      schemaName,
      part.map((piece) => selectPiece(schemaName, piece)),
    )
    for (const [index, { columns, line, table }] of part.entries()) {
      const rows = (results[index]?.rows ?? []).map((row) =>
        columns.map((_, at) => cellText(row[at]) ?? null),
      )
      if (rows.length > 0) yield { line, table, columns, rows } satisfies RowsLine
    }
  }
  yield* readSequences(reader, schemaName, sequences)
}

const textOf = ({ text }: Sql): string => text

interface Size {
  readonly name: string
  readonly heapBytes: number
  /** Includes long values, which Postgres stores apart from the rows (TOAST). */
  readonly allBytes: number
}

async function readSizes(
  engine: Engine,
  schemaName: SchemaName,
): Promise<{ readonly tables: readonly Size[]; readonly sequences: readonly string[] }> {
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select relname, relkind, pg_catalog.pg_relation_size(oid), pg_catalog.pg_table_size(oid)
from pg_catalog.pg_class where relnamespace = ${literal(schemaName)}::regnamespace and relkind in ('r', 'S') order by relname`,
    ]),
  )
  const all = (results.at(-1)?.rows ?? []).map((row) => {
    const [name = '', kind, heap, whole] = row.map(cellText)
    return { name, kind, heapBytes: Number(heap), allBytes: Number(whole) }
  })
  return {
    tables: all.filter(({ kind }) => kind === 'r'),
    sequences: all.filter(({ kind }) => kind === 'S').map(({ name }) => name),
  }
}

/** Consecutive pages of a table. Rows are read in their order on disk, and later inserted in the same order. */
interface Piece extends Pick<RowsLine, 'line' | 'table' | 'columns'> {
  readonly firstPage: number
  readonly pages: number
  readonly bytes: number
}

const PAGE_BYTES = 8_192
/** Approximate bytes of rows that one job of the engine reads, so that the job's result stays small. */
const PART_BYTES = 512 << 10
const PART_PIECES = 50

function piecesOf(structure: SchemaStructure, sizes: readonly Size[]): readonly Piece[] {
  const sizeOf = new Map(sizes.map((size) => [size.name, size]))
  const own = structure.relations
    .filter(({ kind }) => kind === 'table')
    .map(({ columns, name }) => ({
      line: 'rows' as const,
      table: name,
      columns: columns.filter(({ generated }) => generated === undefined).map((one) => one.name),
    }))
  const platform = [...AUTH_TABLE_COLUMNS].map(([table, columns]) => ({
    line: 'auth_rows' as const,
    table,
    columns,
  }))
  return [...platform, ...own].flatMap((table) => {
    const size = sizeOf.get(table.table)
    return size === undefined ? [] : piecesOfTable(table, size)
  })
}

function piecesOfTable(
  table: Pick<RowsLine, 'line' | 'table' | 'columns'>,
  { allBytes, heapBytes }: Size,
): readonly Piece[] {
  const pages = Math.ceil(heapBytes / PAGE_BYTES)
  const bytesPerPage = pages === 0 ? PAGE_BYTES : allBytes / pages
  const step = Math.max(1, Math.floor(PART_BYTES / bytesPerPage))
  return Array.from({ length: Math.ceil(pages / step) }, (_, index) => ({
    ...table,
    firstPage: index * step,
    pages: step,
    bytes: step * bytesPerPage,
  }))
}

function inParts(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const parts: Piece[][] = []
  let bytes = 0
  for (const piece of pieces) {
    const part = parts.at(-1)
    bytes += piece.bytes
    if (part === undefined || bytes > PART_BYTES || part.length >= PART_PIECES) {
      parts.push([piece])
      bytes = piece.bytes
    } else part.push(piece)
  }
  return parts
}

// Selects `true` from a table without columns, because the statement needs a column.
function selectPiece(schemaName: SchemaName, { columns, firstPage, pages, table }: Piece): Sql {
  const cells = columns.length === 0 ? sql`true` : join(columns.map((name) => identifier(name)))
  const place = (page: number): Sql => verbatim(`'(${page},0)'::pg_catalog.tid`)
  return sql`select ${cells} from only ${identifier(schemaName, table)}
where ctid >= ${place(firstPage)} and ctid < ${place(firstPage + pages)}`
}

async function* readSequences(
  reader: RowReader,
  schemaName: SchemaName,
  names: readonly string[],
): AsyncGenerator<SequenceLine> {
  if (names.length === 0) return
  const results = await reader.read(
    schemaName,
    names.map((name) => sql`select last_value, is_called from ${identifier(schemaName, name)}`),
  )
  for (const [index, sequence] of names.entries()) {
    const [value, isCalled] = (results[index]?.rows[0] ?? []).map(cellText)
    if (value !== undefined)
      yield { line: 'sequence', sequence, value, is_called: isCalled === 't' }
  }
}
