// A schema's indexes, except those of constraints (constraints.ts), and its extended statistics.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

export interface IndexRecord {
  readonly key: string
  readonly name: string
  readonly table: string
  /** The whole `create index` statement. */
  readonly definition: string
  readonly clustered: boolean
  /** The statistics targets of the index's expression columns, by column number. */
  readonly statisticsTargets?: Readonly<Record<string, number>>
}

export interface StatisticsRecord {
  readonly key: string
  readonly name: string
  readonly definition: string
  readonly target?: number
}

/**
 * Lists `IndexRecord`s. Definitions of partitioned indexes omit `on only`, so that Postgres attaches the indexes of the
 * partitions.
 */
export function indexesQuery(schemaName: SchemaName): Sql {
  return section(
    'indexes',
    sql`select 'index:' || c.relname as key, c.relname as name, t.relname as table,
  regexp_replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition,
  i.indisclustered as clustered,
  (select json_object_agg(a.attnum, a.attstattarget) from pg_attribute as a
   where a.attrelid = c.oid and a.attstattarget is not null) as "statisticsTargets"
from pg_index as i
join pg_class as c on c.oid = i.indexrelid
join pg_class as t on t.oid = i.indrelid
where t.relnamespace = ${namespaceOf(schemaName)}
  and t.relowner <> ${platformOf(schemaName)}
  and t.relkind in ('r', 'p', 'm')
  and i.indislive
  and not exists (
    select from pg_constraint as k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))`,
  )
}

export function statisticsQuery(schemaName: SchemaName): Sql {
  return section(
    'statistics',
    sql`select 'statistics:' || s.stxname as key, s.stxname as name, pg_get_statisticsobjdef(s.oid) as definition,
  s.stxstattarget as target
from pg_statistic_ext as s
where s.stxnamespace = ${namespaceOf(schemaName)}
  and s.stxowner <> ${platformOf(schemaName)}`,
  )
}
