// Reads what the changes since a sequence added and removed. The database sums the row versions up: a row that changed ten times
// has two of its eleven versions here.
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { literal, readScript, type Sql, sql, verbatim } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'
import { type RowVersion, versionsOf } from './net-effect.ts'
import {
  project,
  type RecordedChange,
  readChanges,
  type Tables,
  tableAt,
  tablesFrom,
  tablesOf,
} from './read-history.ts'

/** A TRUNCATE or a DROP. */
export interface TableChange extends Pick<RecordedChange, 'at' | 'table'> {
  readonly kind: string
}

export interface LaterChanges {
  /** Number of changed rows and tables. */
  readonly count: number
  readonly versions: readonly RowVersion[]
  readonly ofTables: readonly TableChange[]
  /** The layouts that the tables had from the sequence on. */
  readonly layouts: readonly RecordedChange['table'][]
}

/**
 * @param most number of changes from which on `versions` is empty
 * @throws {SqlError}
 */
export async function readLaterChanges(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  from: number,
  most: number,
): Promise<LaterChanges> {
  const results = await engine.admin(
    schemaName,
    readScript([tablesOf(schemaName), laterChanges(schemaName, from, most)]),
  )
  const [layouts, found] = results.slice(-2)
  const tables = tablesFrom(layouts)
  const rows = Map.groupBy((found?.rows ?? []).map(foundRow), ({ what }) => what)
  // An update is captured as its old rows, followed by its new rows. The sequence may be between them.
  const parts = await Promise.all(
    (rows.get('split') ?? []).map(({ text: transaction }) =>
      readChanges(engine, schemaName, { transaction, limit: most }),
    ),
  )
  const partial = parts.flat().filter(({ sequence }) => sequence >= from)
  const layoutOf = ({ id, relation }: FoundRow) => tableAt(tables, relation, id)
  return {
    count: (rows.get('count')?.[0]?.number ?? 0) + partial.length,
    versions: [
      ...(rows.get('version') ?? []).flatMap((row) => {
        const table = layoutOf(row)
        if (table === undefined) return []
        return [{ table, cells: parseRecordText(row.text), step: row.number }]
      }),
      ...versionsOf(partial),
    ],
    ofTables: [
      ...['TRUNCATE', 'DROP'].flatMap((kind) =>
        (rows.get(kind) ?? []).flatMap((row) => {
          const table = layoutOf(row)
          return table === undefined ? [] : [{ at: row.text, kind, table }]
        }),
      ),
      ...partial.filter(({ kind }) => kind === 'TRUNCATE' || kind === 'DROP'),
    ],
    layouts: [...tables.values()].flatMap((known) => layoutsFrom(known, from)),
  }
}

function laterChanges(schemaName: SchemaName, from: number, most: number): Sql {
  const first = sql`${literal(String(from))}::bigint`
  const step = sql`case when kind in ('I', 'N') then 1 else -1 end`
  return sql`with own as materialized (
  select relation, pg_catalog.array_agg(since order by since) as layouts
  from platform.history_tables where project = ${project(schemaName)} group by relation
), later as materialized (
  select id, at, transaction, entry.relation, kind, row, pg_catalog.width_bucket(id, layouts) as layout
  from platform.history_entries as entry join own on own.relation = entry.relation
  where id >= ${first} and kind not in ('P', 'Q')
), split as materialized (
  select distinct transaction from platform.history_entries
  where id < ${first} and transaction >= (select min(transaction) from later)
    and transaction in (select transaction from later)
), whole as materialized (
  select * from later where transaction not in (select transaction from split)
), counted as materialized (
  select count(*) as changes from whole where kind <> 'O'
)
select 'split', null::oid, null::bigint, transaction::text, null::bigint from split
union all
select 'count', null, null, null, changes from counted
union all
select case kind when 'T' then 'TRUNCATE' else 'DROP' end, relation, id,
  pg_catalog.to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), null
from whole where kind in ('T', 'X')
union all
select 'version', relation, max(id), row, sum(${step})
from whole
where kind in ('I', 'D', 'O', 'N') and (select changes from counted) <= ${verbatim(String(most))}
group by relation, layout, row
having sum(${step}) <> 0`
}

interface FoundRow {
  readonly what: string
  readonly relation: number
  readonly id: number
  readonly text: string
  readonly number: number
}

function foundRow(row: readonly (Uint8Array | null)[]): FoundRow {
  const [what = '', relation, id, text = '', number] = row.map(cellText)
  return { what, relation: Number(relation), id: Number(id), text, number: Number(number) }
}

type Layouts = Tables extends ReadonlyMap<number, infer Known> ? Known : never

/** Returns the oldest layout first. @param known the newest first */
function layoutsFrom(known: Layouts, from: number): readonly RecordedChange['table'][] {
  const first = known.findIndex(({ since }) => since <= from)
  return known
    .slice(0, first === -1 ? known.length : first + 1)
    .map(({ table }) => table)
    .reverse()
}
