// Numbers the rows that a role sees. The number of a row is a hash of the columns that identify the row. A row therefore has the
// same number for every identity, and before and after a change. The role itself reads the rows, so policies apply. Pure.
import { cellText, type StatementResult } from '../../database/engine.ts'
import { EMPTY, identifier, join, type Sql, sql, verbatim } from '../../database/sql.ts'

export interface NumberedRelation {
  /** The relation's name, as the statement writes it. */
  readonly name: Sql
  /** Columns that identify a row. */
  readonly key: readonly string[]
}

export interface CountedRelation extends NumberedRelation {
  /** Identifies the relation in the answer. */
  readonly place: number
  /** A clause that follows the relation, such as a condition or a limit. */
  readonly clause?: Sql
}

/** The rows of one relation that an identity sees. */
export interface CountedRows {
  readonly rows: number
  /** The numbers of all rows combined by XOR, in hexadecimal. */
  readonly combined: string
  /** The number of each row, ascending; `undefined` for more rows than the statement lists. */
  readonly numbers: readonly string[] | undefined
}

/**
 * Counts and numbers the visible rows of each relation. @param maxListed above this number of rows, the statement returns no
 * numbers
 */
export function countStatement(relations: readonly CountedRelation[], maxListed: number): Sql {
  const counts = relations.map(
    ({ clause = EMPTY, key, name, place }) =>
      sql`select ${verbatim(String(place))}, pg_catalog.count(*), pg_catalog.to_hex(pg_catalog.bit_xor(seen.n)),
  case when pg_catalog.count(*) <= ${verbatim(String(maxListed))} then pg_catalog.string_agg(seen.n::pg_catalog.text, ',' order by seen.n) end
from (select ${rowNumber(key)} as n from ${name} as r${clause}) as seen`,
  )
  return join(counts, '\nunion all\n')
}

/** Decodes the rows of `countStatement` by the relations' places. */
export function countedRows(answer: StatementResult['rows']): ReadonlyMap<number, CountedRows> {
  return new Map(
    answer.map((row) => {
      const [place, rows, combined = '', numbers] = row.map(cellText)
      const listed = rows === '0' ? [] : numbers?.split(',')
      return [Number(place), { rows: Number(rows), combined, numbers: listed }]
    }),
  )
}

/** Returns a statement that reads columns of one row, found by its number, as the text of a record. */
export function rowStatement(
  { key, name }: NumberedRelation,
  columns: readonly string[],
  hasNumber: (number: Sql) => Sql,
): Sql {
  return sql`select ${recordOf(columns)} from ${name} as r
where ${hasNumber(rowNumber(key))} limit 1`
}

/** The number of a row of the relation `r`. */
export function rowNumber(key: readonly string[]): Sql {
  return sql`pg_catalog.hashtextextended(${recordOf(key)}, 0)`
}

/** The cells of a row of the relation `r` as text. Uses output functions only, never a cast of the project's own. */
export function recordOf(columns: readonly string[]): Sql {
  return sql`row(${join(columns.map((name) => sql`r.${identifier(name)}`))})::pg_catalog.text`
}
