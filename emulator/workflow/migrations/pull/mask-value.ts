// SQL expressions that mask a column's values before they leave the project. Each value is replaced by its number among the
// distinct values of the rows. Therefore equal values stay equal, and different values stay different where the type allows it.
// NULL stays NULL.
import { literal, type Sql, sql, verbatim } from '../../../database/sql.ts'

/** The column to mask. */
export interface MaskedColumn {
  /** The column in the query, quoted. */
  readonly value: Sql
  /** The column's type as the catalogue prints it, for example `character varying(20)`. */
  readonly type: string
}

const DAY = sql`interval '1 day'`
/** Characters that the text `masked <number>` needs at most. */
const ROOM_FOR_WORD = 12

/** Types whose values Postgres cannot sort. Each row gets its own number instead. */
const UNSORTED = new Set(['json', 'xml'])

/** Returns an SQL expression for a harmless value of the same type, or `undefined` when the type has no such value. */
export function maskedValue({ type, value }: MaskedColumn): Sql | undefined {
  const [base = '', modifier = ''] = splitType(type)
  const order = UNSORTED.has(base)
    ? sql`row_number() over ()`
    : sql`dense_rank() over (order by ${value})`
  const masked = type.endsWith('[]') ? sql`'{}'` : maskOf(base, modifier, value, sql`(${order})`)
  return masked && sql`case when ${value} is not null then ${masked} end`
}

/** Splits `numeric(10,2)` into `numeric` and the modifier `10,2`. The modifier of `timestamp(3) with time zone` is `3`. */
function splitType(type: string): readonly [string, string] {
  const modifier = /\(([^)]*)\)/.exec(type)
  return [type.replace(/\([^)]*\)/, ''), modifier?.[1] ?? '']
}

function maskOf(base: string, modifier: string, value: Sql, n: Sql): Sql | undefined {
  switch (base) {
    case 'text':
    case 'character varying':
    case 'character':
    case 'extensions.citext':
      return maskedText(value, n, modifier === '' ? undefined : Number(modifier))
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'real':
    case 'double precision':
      return n
    case 'numeric':
      return maskedNumeric(n, modifier)
    case 'boolean':
      return sql`false`
    case 'uuid':
      return sql`('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))`
    case 'date':
      return sql`(date '2000-01-01' + ${n}::integer)`
    case 'timestamp without time zone':
      return sql`(timestamp '2000-01-01 12:00' + ${n} * ${DAY})`
    case 'timestamp with time zone':
      return sql`(timestamptz '2000-01-01 12:00Z' + ${n} * ${DAY})`
    case 'time without time zone':
      return sql`(time '00:00' + ${n} * interval '1 second')`
    case 'interval':
      return sql`(${n} * ${DAY})`
    case 'json':
    case 'jsonb':
      return sql`'{}'::json`
    case 'bytea':
      return sql`decode(lpad(to_hex(${n}), 8, '0'), 'hex')`
    case 'inet':
      // 192.0.2.0/24 is for documentation (RFC 5737).
      return sql`(inet '192.0.2.0' + ${n} % 256)`
    default:
      return undefined
  }
}

function maskedText(value: Sql, n: Sql, room: number | undefined): Sql {
  if (room !== undefined && room < ROOM_FOR_WORD)
    return sql`right(${n}::text, ${verbatim(String(room))})`
  const words = sql`case when ${value}::text like '%@%' then 'masked' || ${n} || '@example.test' else 'masked ' || ${n} end`
  return room === undefined ? sql`(${words})` : sql`left(${words}, ${verbatim(String(room))})`
}

function maskedNumeric(n: Sql, modifier: string): Sql {
  if (modifier === '') return n
  const [precision = 0, scale = 0] = modifier.split(',').map(Number)
  const largest = 10n ** BigInt(Math.max(0, precision - Math.max(0, scale)))
  return sql`(${n} % ${literal(String(largest))}::numeric)`
}
