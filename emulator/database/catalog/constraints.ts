// A schema's table constraints. NOT NULL is part of the column's record (relations.ts).
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

export interface ConstraintRecord {
  readonly key: string
  readonly table: string
  readonly name: string
  readonly kind: 'primary' | 'unique' | 'exclusion' | 'check' | 'foreign'
  readonly definition: string
  readonly validated: boolean
  /** False for a check constraint that the table only inherits from a parent. */
  readonly local: boolean
  /** Storage parameters of the constraint's index, as `name=value`. */
  readonly indexOptions?: readonly string[]
  readonly clustered: boolean
}

/** Lists `ConstraintRecord`s. Leaves out foreign keys that a partition inherits: the parent's record covers them. */
export function constraintsQuery(schemaName: SchemaName): Sql {
  return section(
    'constraints',
    sql`select 'constraint:' || t.relname || '.' || c.conname as key, t.relname as table, c.conname as name,
  case c.contype when 'p' then 'primary' when 'u' then 'unique' when 'x' then 'exclusion'
    when 'c' then 'check' else 'foreign' end as kind,
  pg_get_constraintdef(c.oid) as definition,
  c.convalidated as validated,
  c.conislocal as local,
  to_json(i.reloptions) as "indexOptions",
  coalesce(x.indisclustered, false) as clustered
from pg_constraint as c
join pg_class as t on t.oid = c.conrelid
left join pg_class as i on i.oid = c.conindid and c.contype in ('p', 'u', 'x')
left join pg_index as x on x.indexrelid = i.oid
where t.relnamespace = ${namespaceOf(schemaName)}
  and t.relowner <> ${platformOf(schemaName)}
  and c.contype in ('p', 'u', 'x', 'c', 'f')
  and (c.contype <> 'f' or c.conparentid = 0)`,
  )
}
