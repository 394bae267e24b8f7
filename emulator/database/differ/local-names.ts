// Makes a statement run in any project: removes the schema's name where Postgres finds the object through the search path. Where
// the name must stay, for example in a function's body, a DO block inserts the name of the current schema. Pure.
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { namesIn, renamer } from '../template/rename-structure.ts'

/** Names that the schema's functions and types share with Postgres's catalogue, so that the schema must not be removed. */
export type HiddenNames = ReadonlySet<string>

// Matches a string, a quoted identifier, a dollar-quoted text, a comment, a word, or else one character.
const TOKENS =
  /[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_][\w$]*|[\s\S]/g
const PLAIN = /^[a-z_][a-z0-9_]*$/
const CATALOG = 'pg_catalog'
/** Names that db/exec refuses (docs/wire/platform.md#db-exec). */
const REFUSED = /\b(?:pg_catalog|information_schema)\s*\./

/** Returns the statement without the name of its schema. */
export function localStatement(text: string, schemaName: SchemaName, hidden: HiddenNames): string {
  const hasOwnPath = /\n SET search_path /i.test(text)
  const kept = new Set([...hidden, ...subqueryNames(text)])
  const local = hasOwnPath ? text : strip(text, schemaName, kept)
  return namesIn(local, schemaName).length > 0 || REFUSED.test(local)
    ? atRunTime(local, schemaName)
    : local
}

/** Returns the names of the statement's WITH queries. Such a query hides a table with the same name and without a schema. */
function subqueryNames(text: string): readonly string[] {
  const found = text.matchAll(
    /(?:\bwith(?: recursive)?|,)\s+"?(\w+)"?(?:\([^)]*\))? as (?:(?:not )?materialized )?\(/gi,
  )
  return [...found].map(([, name = '']) => name)
}

/** Quotes an identifier only where Postgres needs the quotes. */
export function plainIdentifier(name: string): string {
  return PLAIN.test(name) && !KEYWORDS.has(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function strip(text: string, schemaName: SchemaName, hidden: HiddenNames): string {
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token)
  const owner = ownerRoleOf(schemaName)
  let result = ''
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? ''
    const isQualifier = tokens[index + 1] === '.' && tokens[index - 1] !== '.'
    const name = unquoted(token)
    if (isQualifier && isRemovable(name, tokens[index + 2] ?? '', schemaName, hidden)) index += 1
    else if (name === owner) result += 'current_user'
    else if (token.startsWith("'") && /^::reg/.test(tokens.slice(index + 1, index + 4).join('')))
      result += token.replace(/^'([^.']+)\./, (whole, schema: string) =>
        isRemovable(
          unquoted(schema),
          unquoted(token.slice(schema.length + 2, -1)),
          schemaName,
          hidden,
        )
          ? "'"
          : whole,
      )
    else result += token.startsWith('"') ? plainIdentifier(name) : token
  }
  return result
}

function isRemovable(
  qualifier: string,
  next: string,
  schemaName: SchemaName,
  hidden: HiddenNames,
): boolean {
  if (!/^["\w]/.test(next)) return false
  return qualifier === CATALOG || (qualifier === schemaName && !hidden.has(unquoted(next)))
}

function unquoted(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token
}

function atRunTime(text: string, schemaName: SchemaName): string {
  const place = unusedName('schema', (name) => text.includes(`{${name}}`))
  const tag = unusedName('sql', (name) => text.includes(`$${name}$`))
  const block = unusedName('step', (name) => text.includes(`$${name}$`))
  const template = renamer(schemaName, `{${place}}` as SchemaName)(text)
  return `do $${block}$ begin
execute replace($${tag}$${template}$${tag}$, '{${place}}', current_schema());
end $${block}$`
}

function unusedName(base: string, isUsed: (name: string) => boolean): string {
  let name = base
  for (let count = 1; isUsed(name); count += 1) name = `${base}${count}`
  return name
}

// Postgres's keywords that need quotes as identifiers (pg_get_keywords(), all except the unreserved ones).
const WORDS =
  'all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char character check coalesce collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading least left like limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real references returning right row select session_user setof similar smallint some substring symmetric system_user table tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable'

const KEYWORDS: ReadonlySet<string> = new Set(WORDS.split(' '))
