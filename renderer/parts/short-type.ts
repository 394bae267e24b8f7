// The usual short names of Postgres's types. Pure.

const SHORT_TYPES: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'double precision': 'float8',
  'character varying': 'varchar',
}

/** The usual short name of a type. */
export function shortType(type: string): string {
  return SHORT_TYPES[type] ?? type
}
