// A schema's sequences, except those of identity columns (relations.ts).
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql, verbatim } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

/** The options' numbers are text, because JavaScript numbers cannot represent every bigint. */
export interface SequenceOptions {
  readonly type: string
  readonly start: string
  readonly increment: string
  readonly min: string
  readonly max: string
  readonly cache: string
  readonly cycle: boolean
}

export interface SequenceRecord {
  readonly key: string
  readonly name: string
  readonly unlogged: boolean
  readonly options: SequenceOptions
  /** The column that owns the sequence. Postgres drops the sequence together with this column. */
  readonly ownedBy?: { readonly table: string; readonly column: string }
}

/** Builds `SequenceOptions` from a `pg_sequence` row named `s`. */
export const SEQUENCE_OPTIONS: Sql = verbatim(`json_build_object(
    'type', format_type(s.seqtypid, null), 'start', s.seqstart::text, 'increment', s.seqincrement::text,
    'min', s.seqmin::text, 'max', s.seqmax::text, 'cache', s.seqcache::text, 'cycle', s.seqcycle)`)

export function sequencesQuery(schemaName: SchemaName): Sql {
  return section(
    'sequences',
    sql`select 'sequence:' || c.relname as key, c.relname as name, c.relpersistence = 'u' as unlogged,
  ${SEQUENCE_OPTIONS} as options,
  (select json_build_object('table', t.relname, 'column', a.attname)
   from pg_depend as d
   join pg_class as t on t.oid = d.refobjid
   join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
   where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass
     and d.deptype = 'a') as "ownedBy"
from pg_class as c
join pg_sequence as s on s.seqrelid = c.oid
where c.relnamespace = ${namespaceOf(schemaName)}
  and c.relowner <> ${platformOf(schemaName)}
  and not exists (
    select from pg_depend as d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')`,
  )
}
