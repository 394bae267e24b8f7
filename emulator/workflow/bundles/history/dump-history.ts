// Reads the last recorded row changes of a project for a bundle. The caller makes sure that no request runs. Only the embedded engine
// has states that fit into a bundle, and it runs one transaction after the other.
import { z } from 'zod'
import { parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type EpochMillis, epochMillis, toIso } from '../../../core/time.ts'
import { cellText } from '../../../database/engine.ts'
import { literal, readScript, type Sql, sql, verbatim } from '../../../database/sql.ts'
import { parseRecordText } from '../../../database/values/row-text.ts'
import { presentTables } from '../../../insight/history/present-tables.ts'
import { project } from '../../../insight/history/read-history.ts'
import type { ProjectSource } from '../state/dump-project.ts'
import {
  CARRIED_MILLIS,
  type EntryLine,
  type HistoryLine,
  layoutAt,
  MOST_ENTRIES,
  MOST_ROW_BYTES,
  type TableLine,
} from './history-lines.ts'
import { maskEntries } from './mask-entries.ts'

/** Returns no line when the project's changes are not recorded. @param now platform time @throws {SqlError} */
export async function dumpHistory(
  source: ProjectSource,
  schemaName: SchemaName,
  now: EpochMillis,
): Promise<readonly HistoryLine[]> {
  const since = toIso(epochMillis(now - CARRIED_MILLIS))
  const [bounds, sizes] = await read(source, schemaName, [
    sql`select complete_from, ${iso('complete_since')} from platform.history_projects
where project = ${project(schemaName)}`,
    sql`select id, transaction, coalesce(pg_catalog.octet_length(row), 0), at >= ${literal(since)}::timestamptz
from platform.history_entries where relation in ${relations(schemaName)}
order by id desc limit ${verbatim(String(MOST_ENTRIES + 1))}`,
  ])
  const [begun] = bounds ?? []
  if (begun === undefined) return []
  const [completeFrom = '0', completeSince = since] = begun.map(cellText)
  const { first, isByAge, lastDropped } = cut((sizes ?? []).map((row) => sizeOf(row.map(cellText))))
  const { entries, tables } = await readEntries(source, schemaName, first)
  const fitting = afterMisfits(entries, tables)
  const dropped = fitting.lastMisfit ?? lastDropped ?? 0
  const begin = Math.max(Number(completeFrom), dropped + 1)
  const isCut = dropped >= Number(completeFrom)
  const oldest =
    (isByAge && fitting.lastMisfit === undefined ? undefined : fitting.entries[0]?.at) ?? since
  return [
    {
      line: 'history',
      complete_from: begin,
      complete_since: isCut && completeSince < oldest ? oldest : completeSince,
    },
    ...tables,
    ...(await maskEntries(source.reader, schemaName, tables, fitting.entries)),
  ]
}

type Rows = readonly (readonly (Uint8Array | null)[])[]

async function read(
  { engine }: ProjectSource,
  schemaName: SchemaName,
  statements: readonly Sql[],
): Promise<readonly Rows[]> {
  const results = await engine.admin(schemaName, readScript(statements))
  return results.slice(-statements.length).map(({ rows }) => rows)
}

const relations = (schemaName: SchemaName): Sql =>
  sql`(select relation from platform.history_tables where project = ${project(schemaName)})`
const iso = (column: string): Sql =>
  sql`pg_catalog.to_char(${verbatim(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

interface Size {
  readonly id: number
  readonly transaction: string | undefined
  readonly bytes: number
  readonly isRecent: boolean
}

function sizeOf([id, transaction, bytes, isRecent]: readonly (string | undefined)[]): Size {
  return { id: Number(id), transaction, bytes: Number(bytes), isRecent: isRecent === 't' }
}

/**
 * Finds the first entry that is carried. No transaction is cut in two.
 * @param sizes newest first
 */
function cut(sizes: readonly Size[]): {
  readonly first: number
  readonly lastDropped: number | undefined
  /** Whether the dropped entries are too old, and none is left out for its size. */
  readonly isByAge: boolean
} {
  let bytes = 0
  const end = sizes.findIndex((size, index) => {
    bytes += size.bytes
    return !size.isRecent || index >= MOST_ENTRIES || bytes > MOST_ROW_BYTES
  })
  if (end < 0) return { first: 0, lastDropped: undefined, isByAge: false }
  const broken = sizes[end]?.transaction
  const last = sizes.findIndex(({ transaction }) => transaction === broken)
  const isByAge = sizes[end]?.isRecent === false
  return { first: (sizes[last]?.id ?? 0) + 1, lastDropped: sizes[last]?.id, isByAge }
}

const layoutColumns = z.array(
  z.object({ name: z.string(), type: z.string(), written: z.boolean() }),
)
const keyNames = z.array(z.string())

async function readEntries(
  source: ProjectSource,
  schemaName: SchemaName,
  first: number,
): Promise<{ readonly entries: readonly EntryLine[]; readonly tables: readonly TableLine[] }> {
  const [rows = [], layouts = []] = await read(source, schemaName, [
    sql`select id, ${iso('at')}, transaction, relation, kind, depth, nullif(request_id, ''), role, nullif(subject, ''), row
from platform.history_entries
where relation in ${relations(schemaName)} and id >= ${literal(String(first))}::bigint order by id`,
    sql`select relation, since, name, columns, key from platform.history_tables
where project = ${project(schemaName)} order by relation, since desc`,
  ])
  const present = await presentTables(source.engine, schemaName)
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  }
  const transactions = new Map<string, number>()
  const entries = rows.map((row): EntryLine => {
    const [
      id,
      at = '',
      transaction = '',
      relation = '',
      kind,
      depth,
      requestId,
      role,
      subject,
      text,
    ] = row.map(cellText)
    const transactionNumber = transactions.get(transaction) ?? transactions.size
    transactions.set(transaction, transactionNumber)
    return {
      line: 'entry',
      id: Number(id),
      at,
      transaction: transactionNumber,
      relation: numberOf(relation),
      kind: kind as EntryLine['kind'],
      depth: Number(depth),
      request_id: requestId ?? null,
      role: role ?? '',
      subject: subject ?? null,
      cells: text === undefined ? null : parseRecordText(text),
    }
  })
  const layoutsOf = Map.groupBy(layouts, ([relation]) => cellText(relation) ?? '')
  const tables = [...numbers].map(
    ([relation, number]): TableLine => ({
      line: 'table',
      relation: number,
      table: present.get(Number(relation))?.name ?? null,
      layouts: (layoutsOf.get(relation) ?? []).map((row) => {
        const [, since, name = '', columns = '', key = ''] = row.map(cellText)
        return {
          since: Number(since),
          name,
          columns: layoutColumns.parse(parseJson(columns)),
          key: keyNames.parse(parseJson(key)),
        }
      }),
    }),
  )
  return { entries, tables }
}

/** Drops the entries up to the last one whose layout is not known. */
function afterMisfits(
  entries: readonly EntryLine[],
  tables: readonly TableLine[],
): { readonly entries: readonly EntryLine[]; readonly lastMisfit: number | undefined } {
  const misfit = entries.findLast(({ cells, id, relation }) => {
    const table = tables[relation]
    const columns = table && layoutAt(table, id)?.columns
    return cells !== null && cells.length !== columns?.length
  })
  if (misfit === undefined) return { entries, lastMisfit: undefined }
  const last = entries.findLast(({ transaction }) => transaction === misfit.transaction)?.id ?? 0
  return { entries: entries.filter(({ id }) => id > last), lastMisfit: last }
}
