// Reads the history of committed row changes (tenant-schema/cluster/shared/34-history.sql) and decodes it.
import { z } from 'zod'
import { parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { type CapturedRow, orderChanges } from '../../database/changes/decode-changes.ts'
import { cellText, type Engine, type StatementResult } from '../../database/engine.ts'
import { literal, readScript, type Sql, sql, verbatim } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'

/** A table as it was when a change was recorded. */
export interface RecordedTable {
  readonly relation: number
  readonly name: string
  readonly columns: readonly RecordedColumn[]
  /** Names of the primary key's columns; empty without one. */
  readonly key: readonly string[]
}

interface RecordedColumn {
  readonly name: string
  /** The type in SQL, as `format_type` writes it. */
  readonly type: string
  /** False for a generated column. */
  readonly written: boolean
}

/** One change of a row, or of a whole table. */
export interface RecordedChange {
  readonly sequence: number
  /** ISO 8601 UTC. */
  readonly at: string
  readonly transaction: string
  readonly requestId: string | undefined
  readonly role: string
  readonly userId: string | undefined
  readonly table: RecordedTable
  readonly kind: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE' | 'DROP'
  /** Cells in the order of `table.columns`, in Postgres's text format. Absent on INSERT. */
  readonly before: readonly (string | null)[] | undefined
  /** Absent on DELETE. */
  readonly after: readonly (string | null)[] | undefined
}

export interface HistoryFilter {
  readonly table?: string | undefined
  /** Selects transactions with a row whose text contains all of these. */
  readonly containing?: readonly string[]
  readonly requestId?: string | undefined
  readonly transaction?: string | undefined
  /** Selects entries with a lower sequence. */
  readonly before?: number | undefined
  /** Selects entries from this sequence on. */
  readonly from?: number | undefined
  /** Number of entries of the database that are read, newest first; the oldest transaction is read as a whole. */
  readonly limit: number
}

const layouts = z.array(z.object({ name: z.string(), type: z.string(), written: z.boolean() }))
const names = z.array(z.string())

/** Returns the changes, newest first. @throws {SqlError} */
export async function readChanges(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  filter: HistoryFilter,
): Promise<readonly RecordedChange[]> {
  const results = await engine.admin(
    schemaName,
    readScript([tablesOf(schemaName), entriesOf(schemaName, filter)]),
  )
  const [tables, entries] = results.slice(-2)
  return decode(entries, tablesFrom(tables))
}

/** Returns the sequence of the newest change of the database; 0 without any change. @throws {SqlError} */
export async function lastSequence(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
): Promise<number> {
  const results = await engine.admin(
    schemaName,
    readScript([sql`select coalesce(max(id), 0) from platform.history_entries`]),
  )
  return Number(cellText(results.at(-1)?.rows[0]?.[0]))
}

export function project(schemaName: SchemaName): Sql {
  return sql`(select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})`
}

export function tablesOf(schemaName: SchemaName): Sql {
  return sql`select relation, since, name, columns, key from platform.history_tables
where project = ${project(schemaName)} order by relation, since desc`
}

function entriesOf(schemaName: SchemaName, filter: HistoryFilter): Sql {
  const { before, containing = [], from, limit, requestId, table, transaction } = filter
  const named = table === undefined ? sql`` : sql`and name = ${literal(table)}`
  const conditions = [
    ...(requestId === undefined ? [] : [sql`and request_id = ${literal(requestId)}`]),
    ...(transaction === undefined ? [] : [sql`and transaction = ${literal(transaction)}::xid8`]),
    ...(before === undefined ? [] : [sql`and id < ${literal(String(before))}::bigint`]),
    ...(from === undefined ? [] : [sql`and id >= ${literal(String(from))}::bigint`]),
    ...containing.map((text) => sql`and pg_catalog.strpos(row, ${literal(text)}) > 0`),
  ].reduce((all, one) => sql`${all} ${one}`, sql``)
  return sql`with own as (
  select distinct relation from platform.history_tables where project = ${project(schemaName)} ${named}
), chosen as (
  select distinct transaction from (
    select transaction from platform.history_entries
    where relation in (select relation from own) and kind not in ('P', 'Q') ${conditions}
    order by id desc limit ${verbatim(String(limit))}
  ) as newest
)
select id, pg_catalog.to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), transaction, relation, kind, depth,
  nullif(request_id, ''), role, nullif(subject, ''), row
from platform.history_entries
where transaction in (select transaction from chosen) and relation in (select relation from own) and kind not in ('P', 'Q')
order by id`
}

/** The layouts of each relation, the newest first. */
export type Tables = ReadonlyMap<
  number,
  readonly { readonly since: number; readonly table: RecordedTable }[]
>

export function tablesFrom(result: StatementResult | undefined): Tables {
  const tables = new Map<number, { since: number; table: RecordedTable }[]>()
  for (const row of result?.rows ?? []) {
    const [relation, since, name = '', columns = '[]', key = '[]'] = row.map(cellText)
    const table = {
      relation: Number(relation),
      name,
      columns: layouts.parse(parseJson(columns)),
      key: names.parse(parseJson(key)),
    }
    const known = tables.get(table.relation)
    if (known === undefined) tables.set(table.relation, [{ since: Number(since), table }])
    else known.push({ since: Number(since), table })
  }
  return tables
}

interface Entry extends CapturedRow {
  readonly at: string
  readonly transaction: string
  readonly requestId: string | undefined
  readonly role: string
  readonly userId: string | undefined
}

function decode(result: StatementResult | undefined, tables: Tables): readonly RecordedChange[] {
  const transactions = Map.groupBy(
    (result?.rows ?? []).map(entryOf),
    ({ transaction }) => transaction,
  )
  return [...transactions.values()].flatMap((entries) => changesOf(entries, tables)).reverse()
}

function entryOf(row: readonly (Uint8Array | null)[]): Entry {
  const [
    id,
    at = '',
    transaction = '',
    relation,
    kind = '',
    depth,
    requestId,
    role = '',
    userId,
    text = '',
  ] = row.map(cellText)
  return {
    id: Number(id),
    at,
    transaction,
    relation: Number(relation),
    kind,
    depth: Number(depth),
    requestId,
    role,
    userId,
    text,
  }
}

const WHOLE = { T: 'TRUNCATE', X: 'DROP' } as const

/** @param entries of one transaction, in order */
function changesOf(entries: readonly Entry[], tables: Tables): readonly RecordedChange[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const changed: RecordedChange[] = []
  const add = (
    id: number,
    kind: RecordedChange['kind'],
    cells: Pick<RecordedChange, 'before' | 'after'>,
  ): void => {
    const entry = byId.get(id)
    const table = entry && tableAt(tables, entry.relation, id)
    if (entry === undefined || table === undefined) return
    const { at, requestId, role, transaction, userId } = entry
    changed.push({ sequence: id, at, transaction, requestId, role, userId, table, kind, ...cells })
  }
  let rows: Entry[] = []
  const addRows = (): void => {
    for (const { after, before, id } of orderChanges(rows))
      add(id, before === undefined ? 'INSERT' : after === undefined ? 'DELETE' : 'UPDATE', {
        before: before === undefined ? undefined : parseRecordText(before),
        after: after === undefined ? undefined : parseRecordText(after),
      })
    rows = []
  }
  for (const entry of entries) {
    const whole = entry.kind === 'T' || entry.kind === 'X' ? WHOLE[entry.kind] : undefined
    if (whole === undefined) rows.push(entry)
    else {
      addRows()
      add(entry.id, whole, { before: undefined, after: undefined })
    }
  }
  addRows()
  return changed
}

export function tableAt(tables: Tables, relation: number, id: number): RecordedTable | undefined {
  const known = tables.get(relation)
  return (known?.find(({ since }) => since <= id) ?? known?.at(-1))?.table
}
