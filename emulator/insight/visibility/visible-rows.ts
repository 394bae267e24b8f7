// Questions about the rows that a role sees: one number per row, the same before and after a change. The role itself reads, so
// its policies decide. Pure.
import { identifier, join, literal, type Sql, sql } from '../../database/sql.ts'
import type { RelationPair } from './affected.ts'
import type { ReadingRole, Relation, RelationColumn } from './relations.ts'

export type Side = 'before' | 'after'

/** Tables with more rows or bytes are not compared. */
export const MAX_COMPARED_ROWS = 10_000
export const MAX_COMPARED_BYTES: number = 1 << 20

/** A relation that a role can read on one side at least, and the columns that identify its rows on both sides. */
export interface ComparedRelation {
  readonly name: string
  readonly role: ReadingRole
  readonly before: ReadRelation | undefined
  readonly after: ReadRelation | undefined
}

/** What the role reads on one side. */
export interface ReadRelation {
  readonly relation: Relation
  /** Columns that identify a row, in the same order on both sides. */
  readonly key: readonly string[]
}

/** Returns what a question can compare; `undefined` when the role cannot read the relation on either side. */
export function comparedRelation(
  pair: RelationPair,
  role: ReadingRole,
): ComparedRelation | undefined {
  const before = readableColumns(pair.before, role)
  const after = readableColumns(pair.after, role)
  if (before.length === 0 && after.length === 0) return undefined
  const common = commonColumns(pair, before, after)
  const key = common.filter(({ now }) => pair.after?.key.includes(now.number) === true)
  const isWhole = key.length > 0 && key.length === pair.after?.key.length
  const chosen = isWhole ? key : common
  const one = (columns: readonly RelationColumn[]): readonly string[] =>
    columns.map(({ name }) => name)
  return {
    name: pair.name,
    role,
    before:
      pair.before && before.length > 0
        ? { relation: pair.before, key: one(chosen.map(({ former }) => former)) }
        : undefined,
    after:
      pair.after && after.length > 0
        ? { relation: pair.after, key: one(chosen.map(({ now }) => now)) }
        : undefined,
  }
}

function readableColumns(
  relation: Relation | undefined,
  role: ReadingRole,
): readonly RelationColumn[] {
  return relation?.columns.filter(({ readers }) => readers.includes(role)) ?? []
}

interface Common {
  readonly former: RelationColumn
  readonly now: RelationColumn
}

// Columns of the same relation are the same when their numbers are, whatever their names. When the role reads only one side,
// that side's columns identify the rows.
function commonColumns(
  { after, before }: RelationPair,
  readBefore: readonly RelationColumn[],
  readAfter: readonly RelationColumn[],
): readonly Common[] {
  if (readBefore.length === 0) return readAfter.map((now) => ({ former: now, now }))
  if (readAfter.length === 0) return readBefore.map((former) => ({ former, now: former }))
  const isSame = before?.oid === after?.oid
  return readAfter.flatMap((now) => {
    const former = readBefore.find((one) =>
      isSame ? one.number === now.number : one.name === now.name,
    )
    const isKey = after?.key.includes(now.number) === true
    return former !== undefined && (isKey || former.type === now.type) ? [{ former, now }] : []
  })
}

/** Why the rows of a relation are not compared; `undefined` when they are. */
export function tooLarge({ after, before }: ComparedRelation): string | undefined {
  const bytes = Math.max(before?.relation.bytes ?? 0, after?.relation.bytes ?? 0)
  return bytes > MAX_COMPARED_BYTES
    ? `takes more than ${MAX_COMPARED_BYTES / 1024} KB on disk`
    : undefined
}

/**
 * Returns one row for each relation. The row has its index in `relations`, the number of visible rows, and their numbers in
 * ascending order with commas between them, or null above `MAX_COMPARED_ROWS`. Returns `undefined` when the role reads none on
 * this side.
 */
export function visibleRowsQuestion(
  relations: readonly ComparedRelation[],
  side: Side,
): Sql | undefined {
  const parts = relations.flatMap((compared, index) => {
    const read = compared[side]
    return read === undefined ? [] : [visibleRows(read, index)]
  })
  return parts.length === 0 ? undefined : join(parts, '\nunion all\n')
}

function visibleRows({ key, relation }: ReadRelation, index: number): Sql {
  return sql`select ${literal(String(index))}, pg_catalog.count(*), case when pg_catalog.count(*) <= ${verbatimNumber(MAX_COMPARED_ROWS)}
    then pg_catalog.string_agg(n::pg_catalog.text, ',' order by n) end
  from (select ${rowNumber(key)} as n from ${identifier(relation.name)} as r limit ${verbatimNumber(MAX_COMPARED_ROWS + 1)}) as seen`
}

/** Returns the text of one visible row by its number, which is the question's only value. */
export function exampleQuestion({ key, relation }: ReadRelation, role: ReadingRole): Sql {
  const columns = exampleColumns(relation, role).map((name) => sql`r.${identifier(name)}`)
  return sql`select row(${join(columns)})::pg_catalog.text from ${identifier(relation.name)} as r
where ${rowNumber(key)} operator(pg_catalog.=) ${''}::pg_catalog.int8 limit 1`
}

/** Names of the columns in the row of `exampleQuestion`. */
export function exampleColumns(relation: Relation, role: ReadingRole): readonly string[] {
  return readableColumns(relation, role).map(({ name }) => name)
}

// The text of a record uses output functions only, never a cast of the project's own.
function rowNumber(key: readonly string[]): Sql {
  const columns = key.map((name) => sql`r.${identifier(name)}`)
  return sql`pg_catalog.hashtextextended(row(${join(columns)})::pg_catalog.text, 0)`
}

function verbatimNumber(value: number): Sql {
  return sql`${literal(String(value))}::pg_catalog.int8`
}
