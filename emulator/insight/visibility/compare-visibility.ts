// Compares the rows that an identity saw before and after a change. Pure.
import { type Answer, SqlError } from '../../database/engine.ts'
import { countedRows } from './numbered-rows.ts'

/**
 * The rows of one relation that an identity sees: their numbers, `too_many`, an error, or `undefined` when the identity may not
 * read the relation.
 */
export type Seen = readonly string[] | 'too_many' | SqlError | undefined

export interface Difference {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** The error of reading after the change. `undefined` when reading before the change failed with the same error. */
  readonly error: SqlError | undefined
  readonly isTooMany: boolean
}

/** Decodes the answer of `visibleRowsQuestion`. Returns the rows by the relations' indexes. An error applies to all relations. */
export function seenRows(
  answer: Answer | undefined,
  indexes: readonly number[],
): ReadonlyMap<number, Seen> {
  if (answer === undefined) return new Map()
  if (answer instanceof SqlError) return new Map(indexes.map((index) => [index, answer]))
  const counted = [...countedRows(answer)]
  return new Map(counted.map(([index, { numbers }]) => [index, numbers ?? 'too_many']))
}

/** Returns the difference, or `undefined` when the identity sees the same rows. */
export function compareSeen(before: Seen, after: Seen): Difference | undefined {
  const none = { gained: [], lost: [], error: undefined, isTooMany: false }
  if (after instanceof SqlError) {
    const isKnown = before instanceof SqlError && before.code === after.code
    return isKnown ? undefined : { ...none, error: after }
  }
  if (before === 'too_many' || after === 'too_many') return { ...none, isTooMany: true }
  // An identity that could not read before the change counts as one that saw no rows.
  const then = before instanceof SqlError || before === undefined ? [] : before
  const gained = minus(after ?? [], then)
  const lost = minus(then, after ?? [])
  return gained.length === 0 && lost.length === 0 ? undefined : { ...none, gained, lost }
}

// Rows without a key can be equal. The same number can therefore occur more than once, and each occurrence counts.
function minus(some: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const number of others) counts.set(number, (counts.get(number) ?? 0) + 1)
  return some.filter((number) => {
    const left = counts.get(number) ?? 0
    if (left > 0) counts.set(number, left - 1)
    return left === 0
  })
}
