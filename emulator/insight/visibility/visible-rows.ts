// Questions about the rows that a role sees before and after a change. Pure.
import { identifier, type Sql, sql, verbatim } from '../../database/sql.ts'
import type { RelationPair } from './affected.ts'
import { countStatement, type NumberedRelation, rowStatement } from './numbered-rows.ts'
import type { ReadingRole, Relation, RelationColumn } from './relations.ts'

export type Side = 'before' | 'after'

/** Tables with more rows or bytes are not compared. */
export const MAX_COMPARED_ROWS = 10_000
export const MAX_COMPARED_BYTES: number = 1 << 20

/** A relation that a role can read before or after the change, and the columns that identify its rows on both sides. */
export interface ComparedRelation {
  readonly name: string
  readonly role: ReadingRole
  /** Whether the columns are a key. Otherwise rows are compared by all columns that are readable on both sides. */
  readonly hasKey: boolean
  readonly before: ReadRelation | undefined
  readonly after: ReadRelation | undefined
}

/** A relation before or after the change, as the role can read it. */
export interface ReadRelation {
  readonly relation: Relation
  /** Columns that identify a row, in the same order on both sides. */
  readonly key: readonly string[]
}

/** Returns the relation to compare; `undefined` when the role cannot read it before or after the change. */
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
    hasKey: isWhole,
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

// Pairs columns of the same relation by their numbers, because columns can be renamed. When the role can read only one side, that
// side's columns identify the rows.
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

/** Returns the reason why the rows of a relation are not compared; `undefined` when the rows are compared. */
export function tooLarge({ after, before }: ComparedRelation): string | undefined {
  const bytes = Math.max(before?.relation.bytes ?? 0, after?.relation.bytes ?? 0)
  return bytes > MAX_COMPARED_BYTES
    ? `takes more than ${MAX_COMPARED_BYTES / 1024} KB on disk`
    : undefined
}

/**
 * Counts and numbers the visible rows of each relation. A relation's place in the answer is its index in `relations`. Returns
 * `undefined` when the role can read no relation on this side.
 */
export function visibleRowsQuestion(
  relations: readonly ComparedRelation[],
  side: Side,
): Sql | undefined {
  const counted = relations.flatMap((compared, place) => {
    const read = compared[side]
    return read === undefined ? [] : [{ ...numbered(read), place, clause: ONE_MORE }]
  })
  return counted.length === 0 ? undefined : countStatement(counted, MAX_COMPARED_ROWS)
}

const ONE_MORE: Sql = verbatim(` limit ${MAX_COMPARED_ROWS + 1}`)

/** Returns a question for the text of one visible row. Its only parameter is the row's number. */
export function exampleQuestion(read: ReadRelation, role: ReadingRole): Sql {
  return rowStatement(
    numbered(read),
    exampleColumns(read.relation, role),
    (number) => sql`${number} operator(pg_catalog.=) ${''}::pg_catalog.int8`,
  )
}

/** Names of the columns in the row of `exampleQuestion`. */
export function exampleColumns(relation: Relation, role: ReadingRole): readonly string[] {
  return readableColumns(relation, role).map(({ name }) => name)
}

function numbered({ key, relation }: ReadRelation): NumberedRelation {
  return { name: identifier(relation.name), key }
}
