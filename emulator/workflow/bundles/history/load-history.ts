// Restores the recorded row changes of a bundle's projects. The lines are untrusted: they are only inserted into the platform's
// tables of the history, for tables that the project has.
import { readFileSync, statSync } from 'node:fs'
import type { SchemaName } from '../../../core/names.ts'
import type { Engine } from '../../../database/engine.ts'
import { join, literal, type Sql, script, sql, verbatim } from '../../../database/sql.ts'
import { presentTables } from '../../../insight/history/present-tables.ts'
import { project } from '../../../insight/history/read-history.ts'
import {
  type BoundsLine,
  type EntryLine,
  layoutAt,
  MOST_ENTRIES,
  MOST_FILE_BYTES,
  parseHistoryLine,
  type TableLine,
} from './history-lines.ts'

/** The error for a history that does not follow the format, or does not fit its project. */
export class HistoryLineError extends Error {}

/** The recorded changes of one project. */
export interface CarriedHistory {
  readonly bounds: BoundsLine
  readonly tables: readonly TableLine[]
  readonly entries: readonly EntryLine[]
}

/** @throws {HistoryLineError} */
export function readHistory(path: string): CarriedHistory {
  if (statSync(path).size > MOST_FILE_BYTES) throw new HistoryLineError('it is too large')
  const lines = readFileSync(path, 'utf8').split('\n')
  let bounds: BoundsLine | undefined
  const tables: TableLine[] = []
  const entries: EntryLine[] = []
  for (const text of lines) {
    if (text === '') continue
    const line = parseHistoryLine(text)
    if (line === undefined)
      throw new HistoryLineError(`${JSON.stringify(text.slice(0, 80))} is no line of a history`)
    if (line.line === 'history') bounds = line
    else if (line.line === 'table') tables.push(line)
    else entries.push(line)
  }
  if (bounds === undefined) throw new HistoryLineError('it does not say where it begins')
  if (entries.length > MOST_ENTRIES) throw new HistoryLineError('it has too many changes')
  const history = { bounds, tables, entries }
  requireOrder(history)
  return history
}

function requireOrder({ bounds, entries, tables }: CarriedHistory): void {
  if (tables.some(({ relation }, index) => relation !== index))
    throw new HistoryLineError('its tables are not numbered')
  let last = bounds.complete_from - 1
  for (const { cells, id, kind, relation } of entries) {
    if (id <= last) throw new HistoryLineError(`its change ${id} is not in order`)
    last = id
    const table = tables[relation]
    const columns = table && layoutAt(table, id)?.columns
    const isWhole = kind === 'T' || kind === 'X'
    if (columns === undefined || isWhole !== (cells === null))
      throw new HistoryLineError(`its change ${id} has no table or no row`)
    if (cells !== null && cells.length !== columns.length)
      throw new HistoryLineError(`its change ${id} does not fit the columns of its table`)
  }
}

/** Sets the sequence of changes so that no later change gets the sequence of a carried one. @throws {SqlError} */
export async function continueSequences(
  engine: Pick<Engine, 'admin'>,
  histories: readonly CarriedHistory[],
): Promise<void> {
  const last = Math.max(
    1,
    ...histories.flatMap(({ bounds, entries, tables }) => [
      bounds.complete_from,
      entries.at(-1)?.id ?? 0,
      ...tables.flatMap(({ layouts }) => layouts.map(({ since }) => since)),
    ]),
  )
  await engine.admin(
    'cluster',
    script([
      sql`select pg_catalog.setval('platform.history_ids', ${literal(String(last))}::bigint)`,
    ]),
  )
}

/** Numbers from here on are no oids of tables yet, and no ids of transactions. */
const FIRST_DROPPED_OID = 4_000_000_000
const FIRST_TRANSACTION = 9_000_000_000_000_000_000n
/** Transactions of two projects have different numbers. */
const TRANSACTIONS_PER_PROJECT = 1_000_000n

/**
 * Restores the changes of a project that is built, and records its further changes.
 * @param place number of the project in the bundle
 * @throws {HistoryLineError | SqlError}
 */
export async function loadHistory(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  place: number,
  history: CarriedHistory | undefined,
): Promise<void> {
  const record = sql`select platform.record_history(${literal(schemaName)})`
  if (history === undefined) {
    await engine.admin(schemaName, script([record]))
    return
  }
  const { bounds, entries, tables } = history
  const oids = await oidsOf(engine, schemaName, place, tables)
  const owner = project(schemaName)
  const layouts = tables.flatMap((table) =>
    table.layouts.map(
      ({ columns, key, name, since }) =>
        sql`(${oid(oids[table.relation])}, ${number(since)}, ${owner}, ${literal(name)}, ${json(columns)}, ${json(key)})`,
    ),
  )
  const rows = entries.map((entry) => entryOf(entry, oids[entry.relation], BigInt(place)))
  await engine.admin(
    schemaName,
    script([
      sql`insert into platform.history_projects (project, complete_from, complete_since)
values (${owner}, ${number(bounds.complete_from)}, ${literal(bounds.complete_since)}::timestamptz)`,
      ...inParts(layouts).map(
        (part) =>
          sql`insert into platform.history_tables (relation, since, project, name, columns, key) values ${join(part, ',\n')}`,
      ),
      ...inParts(rows).map(
        (part) =>
          sql`insert into platform.row_history (id, at, transaction, relation, kind, depth, request_id, role, subject, row)
values ${join(part, ',\n')}`,
      ),
      record,
    ]),
  )
}

async function oidsOf(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  place: number,
  tables: readonly TableLine[],
): Promise<readonly number[]> {
  const present = await presentTables(engine, schemaName)
  const byName = new Map([...present.values()].map(({ name, relation }) => [name, relation]))
  return tables.map(({ relation, table }) => {
    if (table === null) return FIRST_DROPPED_OID + place * MOST_ENTRIES + relation
    const found = byName.get(table)
    if (found === undefined)
      throw new HistoryLineError(
        `it has changes of ${JSON.stringify(table)}, which is no table of it`,
      )
    return found
  })
}

function entryOf(entry: EntryLine, relation: number | undefined, place: bigint): Sql {
  const { at, cells, depth, id, kind, request_id, role, subject, transaction } = entry
  const xid = FIRST_TRANSACTION + place * TRANSACTIONS_PER_PROJECT + BigInt(transaction)
  return sql`(${number(id)}, ${literal(at)}::timestamptz, ${literal(String(xid))}::xid8, ${oid(relation)}, ${literal(kind)}, ${verbatim(
    String(depth),
  )}, ${nullable(request_id)}, ${literal(role)}, ${nullable(subject)}, ${nullable(cells && recordText(cells))})`
}

const oid = (relation: number | undefined): Sql => sql`${literal(String(relation))}::oid`
const number = (value: number): Sql => sql`${literal(String(value))}::bigint`
const json = (value: unknown): Sql => sql`${literal(JSON.stringify(value))}::jsonb`
const nullable = (text: string | null): Sql => (text === null ? sql`null` : literal(text))

/** The inverse of `parseRecordText`. */
function recordText(cells: readonly (string | null)[]): string {
  const texts = cells.map((cell) =>
    cell === null ? '' : `"${cell.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`,
  )
  return `(${texts.join(',')})`
}

const ROWS_PER_STATEMENT = 1_000

function inParts<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / ROWS_PER_STATEMENT) }, (_, part) =>
    items.slice(part * ROWS_PER_STATEMENT, (part + 1) * ROWS_PER_STATEMENT),
  )
}
