// Checks whether a row matches a filter, with the same result as Postgres (docs/wire/realtime.md#filters). NULL matches only
// `is` and `isdistinct`. Comparisons that texts cannot decide go to Postgres (ask-postgres.ts). Pure.
import type { ChangedRow, RowChange } from '../../../../database/changes/row-change.ts'
import type { Condition } from '../subscribe/change-filter.ts'
import { type CellOrder, cellOrderOf } from './compare-cells.ts'

/** A condition that fits its table. The value is in Postgres's canonical text. */
export interface BoundCondition extends Condition {
  /** Index of the column in the table. */
  readonly place: number
  readonly sqlType: string
  /** Elements of the list of `in`, without nesting. Other operators have no elements. */
  readonly elements: readonly (string | null)[]
  /** Compares texts of the type. `undefined` means that only Postgres can compare values of the type. */
  readonly order: CellOrder | undefined
}

/** @param canonical the canonical text of the value, or of each element of a list */
export function bindCondition(
  condition: Condition,
  column: { readonly place: number; readonly sqlType: string },
  canonical: readonly (string | null)[],
): BoundCondition {
  const { operator } = condition
  const [value] = canonical
  return {
    ...condition,
    ...column,
    value: operator === 'in' || typeof value !== 'string' ? condition.value : value,
    elements: operator === 'in' ? canonical : [],
    order: cellOrderOf(column.sqlType),
  }
}

/** `undecided` lists conditions that Postgres must decide. All other conditions are true. */
export type Match = boolean | { readonly undecided: readonly BoundCondition[] }

/** Returns whether the new row meets all conditions. For a DELETE, checks the known part of the old row. */
export function matchConditions(change: RowChange, conditions: readonly BoundCondition[]): Match {
  const row = change.row ?? change.oldRow
  const undecided: BoundCondition[] = []
  for (const condition of conditions) {
    const holds = conditionHolds(row, condition)
    if (holds === false) return false
    if (holds === undefined) undecided.push(condition)
  }
  return undecided.length === 0 || { undecided }
}

function conditionHolds(
  row: ChangedRow | undefined,
  condition: BoundCondition,
): boolean | undefined {
  const cell = row?.texts[condition.place]
  // Only the identifying columns of a deleted row are known. Unknown cells never match.
  if (cell === undefined) return false
  const { operator, isNegated, elements } = condition
  if (operator === 'is') return holdsIs(cell, condition.value) !== isNegated
  if (cell === null)
    return operator === 'isdistinct'
      ? !isNegated
      : operator === 'in' && elements.length === 0 && isNegated
  const answer = answerOf(cell, condition)
  if (answer === undefined) return undefined
  return answer !== null && answer !== isNegated
}

function holdsIs(cell: string | null, keyword: string): boolean {
  switch (keyword) {
    case 'true':
      return cell === 't'
    case 'false':
      return cell === 'f'
    default:
      return cell === null
  }
}

/** Compares a cell. `null` is SQL's NULL. `undefined` means that Postgres must decide. */
function answerOf(cell: string, condition: BoundCondition): boolean | null | undefined {
  const { operator, value, sqlType } = condition
  switch (operator) {
    case 'in':
      return isOneOf(cell, condition)
    case 'like':
      return LIKE_TYPES.has(sqlType) ? matchesLike(cell, value) : undefined
    case 'ilike':
      return LIKE_TYPES.has(sqlType) && isAscii(cell) && isAscii(value)
        ? matchesLike(cell.toLowerCase(), value.toLowerCase())
        : undefined
    case 'match':
    case 'imatch':
    case 'is':
      return undefined
    default: {
      const order = condition.order?.(cell, value)
      return order === undefined ? undefined : COMPARISONS[operator](order)
    }
  }
}

const LIKE_TYPES: ReadonlySet<string> = new Set(['text', 'character varying', 'name'])

const COMPARISONS = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  isdistinct: (order: number) => order !== 0,
} as const

// Implements SQL's `= any`: if the list contains NULL, the result is NULL unless another element matches.
function isOneOf(cell: string, { elements, order }: BoundCondition): boolean | null | undefined {
  let answer: boolean | null = false
  for (const element of elements) {
    if (element === null) {
      answer = null
      continue
    }
    const found = order?.(cell, element)
    if (found === undefined) return undefined
    if (found === 0) return true
  }
  return answer
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

// Implements SQL's LIKE with `%`, `_` and backslash. The time is proportional to text length times pattern length. Pure.

/**
 * Returns whether the text matches. Returns `undefined` for a pattern that ends with its escape character, which Postgres
 * refuses.
 */
function matchesLike(text: string, pattern: string): boolean | undefined {
  const parts = parsePattern(pattern)
  return parts === undefined ? undefined : matches([...text], parts)
}

const ANY_TEXT = Symbol('%')
const ANY_CHARACTER = Symbol('_')
type Part = string | typeof ANY_TEXT | typeof ANY_CHARACTER

function parsePattern(pattern: string): readonly Part[] | undefined {
  const parts: Part[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '%') parts.push(ANY_TEXT)
    else if (character === '_') parts.push(ANY_CHARACTER)
    else if (character !== '\\') parts.push(character)
    else {
      const escaped = characters[++at]
      if (escaped === undefined) return undefined
      parts.push(escaped)
    }
  }
  return parts
}

// Backtracks only to the last `%`, because the last `%` can match every text that an earlier `%` could have matched.
function matches(characters: readonly string[], parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  let retryPart = -1
  let retryAt = 0
  while (at < characters.length) {
    const wanted = parts[part]
    if (wanted === ANY_TEXT) {
      retryPart = ++part
      retryAt = at
    } else if (wanted === ANY_CHARACTER || (wanted !== undefined && wanted === characters[at])) {
      part++
      at++
    } else if (retryPart < 0) return false
    else {
      part = retryPart
      at = ++retryAt
    }
  }
  while (parts[part] === ANY_TEXT) part++
  return part === parts.length
}
