// Objects of a schema that expressions use: collations, conversions between encodings, text search dictionaries and
// configurations, operators, and casts from or to its types. Text search parsers and templates, operator classes and casts
// WITHOUT FUNCTION are not read, because only a superuser can create them.
import { type Sql, sql, verbatim } from '../sql.ts'
import type { Queries } from './records.ts'

export interface CollationRecord {
  readonly key: string
  readonly name: string
  /** `create collation`'s options with their values as SQL. */
  readonly options: Readonly<Record<string, string>>
}

export interface ConversionRecord {
  readonly key: string
  readonly name: string
  readonly isDefault: boolean
  /** Names of encodings, such as `UTF8`. */
  readonly from: string
  readonly to: string
  /** Qualified name. */
  readonly function: string
}

// Leaves out the version of the collation library, so that a clone uses the installed version.
const OPTIONS: Sql = verbatim(`json_build_object(
  'provider', case c.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
  'locale', quote_literal(c.colllocale),
  'lc_collate', quote_literal(c.collcollate),
  'lc_ctype', quote_literal(c.collctype),
  'rules', quote_literal(c.collicurules),
  'deterministic', case when not c.collisdeterministic then 'false' end)`)

export interface DictionaryRecord {
  readonly key: string
  readonly name: string
  /** Qualified name. */
  readonly template: string
  /** The template's options as `name = value, …`. */
  readonly options?: string
}

export interface ConfigurationRecord {
  readonly key: string
  readonly name: string
  /** Qualified name. */
  readonly parser: string
  /** Groups of token types that use the same dictionaries, listed in the order in which Postgres consults them. */
  readonly mappings: readonly {
    readonly tokens: readonly string[]
    readonly dictionaries: readonly string[]
  }[]
}

export interface OperatorRecord {
  readonly key: string
  /** Qualified name. */
  readonly name: string
  /** `create operator`'s options with their values as SQL; a flag has the value `true`. */
  readonly options: Readonly<Record<string, string>>
}

export interface CastRecord {
  readonly key: string
  /** Qualified type names. */
  readonly source: string
  readonly target: string
  /** Signature of the cast's function; absent when the cast converts through text (WITH INOUT). */
  readonly function?: string
  readonly context: 'explicit' | 'assignment' | 'implicit'
}

/** The name of a cast in `create cast` and `comment on cast`; the query calls its `pg_cast` row `k`. */
export const CAST_NAME: Sql = verbatim(
  `format_type(k.castsource, null) || ' as ' || format_type(k.casttarget, null)`,
)

const OPERATOR_OPTIONS: Sql = verbatim(`json_build_object(
    'function', o.oprcode::regproc::text,
    'leftarg', case when o.oprleft <> 0 then format_type(o.oprleft, null) end,
    'rightarg', format_type(o.oprright, null),
    'commutator', 'operator(' || c.oprnamespace::regnamespace || '.' || c.oprname || ')',
    'negator', 'operator(' || n.oprnamespace::regnamespace || '.' || n.oprname || ')',
    'restrict', nullif(o.oprrest, 0)::regproc::text,
    'join', nullif(o.oprjoin, 0)::regproc::text,
    'hashes', case when o.oprcanhash then 'true' end,
    'merges', case when o.oprcanmerge then 'true' end)`)

export const EXPRESSION_QUERIES: Queries = {
  /** Leaves out collations of foreign encodings, because Postgres cannot use them in this database. */
  collations: ({ namespace, platform }) => sql`
select 'collation:' || c.collname as key, c.collname as name, ${OPTIONS} as options
from pg_collation as c
where c.collnamespace = ${namespace}
  and c.collowner <> ${platform}
  and c.collencoding in (-1, pg_char_to_encoding(getdatabaseencoding()))`,

  conversions: ({ namespace, platform }) => sql`
select 'conversion:' || c.conname as key, c.conname as name, c.condefault as "isDefault",
  pg_encoding_to_char(c.conforencoding) as from, pg_encoding_to_char(c.contoencoding) as to,
  c.conproc::regproc::text as function
from pg_conversion as c
where c.connamespace = ${namespace}
  and c.conowner <> ${platform}`,

  dictionaries: ({ namespace, platform }) => sql`
select 'dictionary:' || d.dictname as key, d.dictname as name,
  t.tmplnamespace::regnamespace::text || '.' || quote_ident(t.tmplname) as template,
  d.dictinitoption as options
from pg_ts_dict as d
join pg_ts_template as t on t.oid = d.dicttemplate
where d.dictnamespace = ${namespace}
  and d.dictowner <> ${platform}`,

  configurations: ({ namespace, platform }) => sql`
select 'configuration:' || c.cfgname as key, c.cfgname as name,
  p.prsnamespace::regnamespace::text || '.' || quote_ident(p.prsname) as parser,
  (select coalesce(json_agg(json_build_object('tokens', tokens, 'dictionaries', dictionaries)
      order by tokens), '[]') from (
    select array_agg(alias order by alias) as tokens, dictionaries from (
      select quote_ident(k.alias) as alias, array_agg(m.mapdict::regdictionary::text order by m.mapseqno) as dictionaries
      from pg_ts_config_map as m
      join ts_token_type(c.cfgparser) as k on k.tokid = m.maptokentype
      where m.mapcfg = c.oid
      group by k.alias) as mapped
    group by dictionaries) as grouped) as mappings
from pg_ts_config as c
join pg_ts_parser as p on p.oid = c.cfgparser
where c.cfgnamespace = ${namespace}
  and c.cfgowner <> ${platform}`,

  /** Leaves out shell operators, which Postgres adds for a commutator or negator that does not exist yet. */
  operators: ({ namespace, platform }) => sql`
select 'operator:' || o.oid::regoperator as key,
  o.oprnamespace::regnamespace::text || '.' || o.oprname as name,
  ${OPERATOR_OPTIONS} as options
from pg_operator as o
left join pg_operator as c on c.oid = o.oprcom
left join pg_operator as n on n.oid = o.oprnegate
where o.oprnamespace = ${namespace}
  and o.oprowner <> ${platform}
  and o.oprcode <> 0`,

  /** Leaves out the casts from ranges to multiranges, which Postgres creates itself. */
  casts: ({ namespace, platform }) => sql`
with own_type as materialized (
  select t.oid from pg_type as t
  where t.typnamespace = ${namespace} and t.typowner <> ${platform}
)
select 'cast:' || ${CAST_NAME} as key,
  format_type(k.castsource, null) as source,
  format_type(k.casttarget, null) as target,
  case when k.castfunc <> 0 then k.castfunc::regprocedure::text end as function,
  case k.castcontext when 'i' then 'implicit' when 'a' then 'assignment' else 'explicit' end as context
from pg_cast as k
where k.castmethod in ('f', 'i')
  and (k.castsource in (select oid from own_type) or k.casttarget in (select oid from own_type))
  and not exists (
    select from pg_depend as d
    where d.classid = 'pg_cast'::regclass and d.objid = k.oid and d.deptype = 'i')`,
}
