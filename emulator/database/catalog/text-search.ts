// A schema's own text search dictionaries and configurations. Only a superuser can create parsers and templates.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

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

export function dictionariesQuery(schemaName: SchemaName): Sql {
  return section(
    'dictionaries',
    sql`select 'dictionary:' || d.dictname as key, d.dictname as name,
  t.tmplnamespace::regnamespace::text || '.' || quote_ident(t.tmplname) as template,
  d.dictinitoption as options
from pg_ts_dict as d
join pg_ts_template as t on t.oid = d.dicttemplate
where d.dictnamespace = ${namespaceOf(schemaName)}
  and d.dictowner <> ${platformOf(schemaName)}`,
  )
}

export function configurationsQuery(schemaName: SchemaName): Sql {
  return section(
    'configurations',
    sql`select 'configuration:' || c.cfgname as key, c.cfgname as name,
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
where c.cfgnamespace = ${namespaceOf(schemaName)}
  and c.cfgowner <> ${platformOf(schemaName)}`,
  )
}
