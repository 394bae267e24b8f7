// A schema's own collations, and its conversions between encodings.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql, verbatim } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

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

/** Lists `CollationRecord`s. Leaves out collations of foreign encodings, because Postgres cannot use them in this database. */
export function collationsQuery(schemaName: SchemaName): Sql {
  return section(
    'collations',
    sql`select 'collation:' || c.collname as key, c.collname as name, ${OPTIONS} as options
from pg_collation as c
where c.collnamespace = ${namespaceOf(schemaName)}
  and c.collowner <> ${platformOf(schemaName)}
  and c.collencoding in (-1, pg_char_to_encoding(getdatabaseencoding()))`,
  )
}

export function conversionsQuery(schemaName: SchemaName): Sql {
  return section(
    'conversions',
    sql`select 'conversion:' || c.conname as key, c.conname as name, c.condefault as "isDefault",
  pg_encoding_to_char(c.conforencoding) as from, pg_encoding_to_char(c.contoencoding) as to,
  c.conproc::regproc::text as function
from pg_conversion as c
where c.connamespace = ${namespaceOf(schemaName)}
  and c.conowner <> ${platformOf(schemaName)}`,
  )
}

// Leaves out the version of the collation library, so that a clone uses the installed version.
const OPTIONS: Sql = verbatim(`json_build_object(
  'provider', case c.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
  'locale', quote_literal(c.colllocale),
  'lc_collate', quote_literal(c.collcollate),
  'lc_ctype', quote_literal(c.collctype),
  'rules', quote_literal(c.collicurules),
  'deterministic', case when not c.collisdeterministic then 'false' end)`)
