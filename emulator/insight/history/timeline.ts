// Lists the requests and transactions that changed rows, without reading the rows.
import { z } from 'zod'
import type { HistoryTimeline, HistoryWrite } from '../../contract/history.ts'
import { parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { literal, readScript, type Sql, sql, verbatim } from '../../database/sql.ts'

export interface TimelineFilter {
  readonly table?: string | undefined
  /** Number of writes, newest first. */
  readonly limit: number
}

/** Number of entries of the database that are read, newest first. */
const MOST_ENTRIES = 20_000

/** @throws {SqlError} */
export async function readTimeline(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  filter: TimelineFilter,
): Promise<Omit<HistoryTimeline, 'is_recorded'>> {
  const results = await engine.admin(
    schemaName,
    readScript([sinceOf(schemaName), writesOf(schemaName, filter)]),
  )
  const [since, found] = results.slice(-2)
  const rows = (found?.rows ?? []).map((row) => row.map(cellText))
  const all = rows.map(writeOf)
  const isCut = Number(rows[0]?.[6] ?? 0) >= MOST_ENTRIES
  // Further entries of the oldest write were not read. The id of a request still means its beginning.
  const whole = isCut && all.at(-1)?.request_id === null ? all.slice(0, -1) : all
  return {
    complete_since: cellText(since?.rows[0]?.[0]) ?? null,
    writes: whole.slice(0, filter.limit),
    has_more: isCut || whole.length > filter.limit,
  }
}

const names = z.array(z.string())

function writeOf(row: readonly (string | undefined)[]): HistoryWrite {
  const [sequence, at = '', requestId, role = '', userId, tables = '[]'] = row
  return {
    sequence: Number(sequence),
    at,
    request_id: requestId ?? null,
    role,
    user_id: userId ?? null,
    tables: names.parse(parseJson(tables)),
  }
}

const ISO = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

function project(schemaName: SchemaName): Sql {
  return sql`(select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})`
}

function sinceOf(schemaName: SchemaName): Sql {
  return sql`select pg_catalog.to_char(complete_since at time zone 'UTC', ${ISO})
from platform.history_projects where project = ${project(schemaName)}`
}

function writesOf(schemaName: SchemaName, { limit, table }: TimelineFilter): Sql {
  const named = table === undefined ? sql`` : sql`where ${literal(table)} = any (names)`
  return sql`with own as (
  select relation, pg_catalog.array_agg(name order by since desc) as names
  from platform.history_tables where project = ${project(schemaName)} group by relation
), newest as (
  select id, at, transaction, nullif(request_id, '') as request_id, role, nullif(subject, '') as subject, relation
  from platform.history_entries
  where relation in (select relation from own ${named}) order by id desc limit ${verbatim(String(MOST_ENTRIES))}
), written as (
  select min(id) as id, min(at) as at, request_id, min(role) as role, min(subject) as subject,
    pg_catalog.array_agg(distinct relation) as relations
  from newest group by request_id, case when request_id is null then transaction end
)
select id, pg_catalog.to_char(at at time zone 'UTC', ${ISO}), request_id, role, subject,
  (select pg_catalog.json_agg(names[1] order by names[1]) from own where relation = any (written.relations)),
  (select count(*) from newest)
from written order by id desc limit ${verbatim(String(limit + 1))}`
}
