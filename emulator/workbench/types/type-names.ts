// Maps a Postgres type to the TypeScript type of its JSON value, as the reference client's generator does. Pure.

const NUMBERS = new Set([
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
  'numeric',
  'oid',
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
])
const TEXTS = new Set([
  'text',
  'character varying',
  'character',
  '"char"',
  'varchar',
  'bpchar',
  'name',
  'uuid',
  'bytea',
  'date',
  'time without time zone',
  'time with time zone',
  'timestamp without time zone',
  'timestamp with time zone',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
  'bit',
  'bit varying',
  'inet',
  'cidr',
  'macaddr',
  'xml',
  'citext',
  'extensions.citext',
  'tsvector',
  'money',
])

/** The types that a schema defines. */
export interface OwnTypes {
  readonly schemaName: string
  readonly enums: ReadonlySet<string>
  /** Tables and views by name. The row of each table or view is a type, too. */
  readonly rows: ReadonlyMap<string, 'Tables' | 'Views'>
}

/** @param type the type's name as Postgres prints it with an empty search path, without length, e.g. `proj_x.mood[]` */
export function typeScriptOf(type: string, own: OwnTypes): string {
  if (type.endsWith('[]')) return `${inArray(typeScriptOf(type.slice(0, -2), own))}[]`
  const name = type.replace(/\(.*\)/, '')
  if (NUMBERS.has(name)) return 'number'
  if (TEXTS.has(name)) return 'string'
  if (name === 'boolean' || name === 'bool') return 'boolean'
  if (name === 'json' || name === 'jsonb') return 'Json'
  if (name === 'void') return 'undefined'
  if (name === 'record') return 'Record<string, unknown>'
  return ownType(name, own) ?? 'unknown'
}

/** Returns the TypeScript type of the schema's own enum or row type `name`. */
export function ownTypeNamed(name: string, own: OwnTypes): string | undefined {
  const schema = `Database[${JSON.stringify(own.schemaName)}]`
  if (own.enums.has(name)) return `${schema}['Enums'][${JSON.stringify(name)}]`
  const kind = own.rows.get(name)
  return kind === undefined ? undefined : `${schema}['${kind}'][${JSON.stringify(name)}]['Row']`
}

function ownType(type: string, own: OwnTypes): string | undefined {
  const prefix = `${own.schemaName}.`
  if (!type.startsWith(prefix)) return undefined
  const name = type.slice(prefix.length)
  return ownTypeNamed(name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name, own)
}

function inArray(type: string): string {
  return type.includes(' ') ? `(${type})` : type
}
