// A schema's own types: enums, domains, composites and ranges.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

interface DomainConstraint {
  readonly name: string
  /** Output of `pg_get_constraintdef`, including `NOT VALID`. */
  readonly definition: string
  readonly validated: boolean
}

interface CompositeAttribute {
  readonly name: string
  readonly type: string
  readonly collation?: string
}

/** A type has exactly one of `labels`, `domain`, `attributes` and `range`. `name` is not qualified. */
export interface TypeRecord {
  readonly key: string
  readonly name: string
  readonly labels?: readonly string[]
  readonly domain?: {
    readonly base: string
    readonly default?: string
    readonly collation?: string
    readonly constraints: readonly DomainConstraint[]
  }
  readonly attributes?: readonly CompositeAttribute[]
  readonly range?: {
    readonly subtype: string
    readonly opclass?: string
    readonly collation?: string
    readonly difference?: string
    readonly multirange: string
  }
}

/** Lists `TypeRecord`s. Leaves out types that Postgres creates itself: row types of tables, arrays and multiranges. */
export function typesQuery(schemaName: SchemaName): Sql {
  return section(
    'types',
    sql`select 'type:' || t.typname as key, t.typname as name,
  case when t.typtype = 'e' then (
    select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum as e where e.enumtypid = t.oid) end as labels,
  case when t.typtype = 'd' then json_build_object(
    'base', format_type(t.typbasetype, t.typtypmod),
    'default', coalesce(pg_get_expr(t.typdefaultbin, 'pg_type'::regclass), t.typdefault),
    'collation', (
      select t.typcollation::regcollation::text from pg_type as base
      where base.oid = t.typbasetype and base.typcollation <> t.typcollation),
    'constraints', (
      select coalesce(json_agg(json_build_object(
        'name', c.conname, 'definition', pg_get_constraintdef(c.oid), 'validated', c.convalidated)
        order by c.conname), '[]')
      from pg_constraint as c where c.contypid = t.oid)) end as domain,
  case when t.typtype = 'c' then (
    select coalesce(json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'collation', case when a.attcollation <> at.typcollation then a.attcollation::regcollation::text end)
      order by a.attnum), '[]')
    from pg_attribute as a join pg_type as at on at.oid = a.atttypid
    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) end as attributes,
  case when t.typtype = 'r' then (
    select json_build_object(
      'subtype', format_type(r.rngsubtype, null),
      'opclass', case when not o.opcdefault then o.opcnamespace::regnamespace::text || '.' || quote_ident(o.opcname) end,
      'collation', case when r.rngcollation <> s.typcollation then r.rngcollation::regcollation::text end,
      'difference', nullif(r.rngsubdiff, 0)::regproc::text,
      'multirange', m.typname)
    from pg_range as r
    join pg_opclass as o on o.oid = r.rngsubopc
    join pg_type as s on s.oid = r.rngsubtype
    join pg_type as m on m.oid = r.rngmultitypid
    where r.rngtypid = t.oid) end as range
from pg_type as t
left join pg_class as rel on rel.oid = t.typrelid
where t.typnamespace = ${namespaceOf(schemaName)}
  and t.typowner <> ${platformOf(schemaName)}
  and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and rel.relkind = 'c'))`,
  )
}
