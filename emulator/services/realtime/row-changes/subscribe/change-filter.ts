// Parses the `filter` of a postgres_changes request: one or more `column=op.value`, separated by commas
// (docs/wire/realtime.md#filters). bind-to-table.ts checks that columns and values are valid. Pure.

/** The filter operators of realtime-js, without the prefix `not.`. */
export const FILTER_OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const

export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One condition. A filter matches when all of its conditions are true. */
export interface Condition {
  readonly column: string
  readonly operator: FilterOperator
  readonly isNegated: boolean
  /** The value without quotes. The value of `in` is the text of a Postgres array: `{a,"b,c"}`. */
  readonly value: string
}

export type ParsedFilter =
  | { readonly kind: 'conditions'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Parses a filter. Blank text has no conditions. */
export function parseFilter(text: string): ParsedFilter {
  const trimmed = text.trim()
  const conditions: Condition[] = []
  for (const part of trimmed === '' ? [] : splitConditions(trimmed)) {
    const condition = parseCondition(part.trim())
    if (typeof condition === 'string') return { kind: 'malformed', reason: condition }
    conditions.push(condition)
  }
  return { kind: 'conditions', conditions }
}

// Ignores commas inside parentheses or quotes. A quote opens only where a value may begin.
function splitConditions(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = '.(,'.includes(text[at - 1] ?? ' ')
    else if (char === '(') depth++
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

const EMPTY_PART = 'filter must not contain empty segments (check for extra commas)'
const BARE_LIST = '`in` filter value must be wrapped by parentheses'

/** @returns the condition, or upstream's text that says why the condition is malformed */
function parseCondition(text: string): Condition | string {
  if (text === '') return EMPTY_PART
  const equals = text.indexOf('=')
  if (equals < 0) return listText([text])
  const column = text.slice(0, equals)
  const isNegated = text.startsWith('not.', equals + 1)
  const rest = text.slice(equals + (isNegated ? 5 : 1))
  const dot = rest.indexOf('.')
  if (dot < 0) return listText([rest])
  const operator = FILTER_OPERATORS.find((known) => known === rest.slice(0, dot))
  const value = rest.slice(dot + 1)
  if (operator === undefined) return listText([rest.slice(0, dot), value])
  if (operator !== 'in') return { column, operator, isNegated, value: unquote(value) }
  if (!/^\(.*\)$/s.test(value)) return BARE_LIST
  return { column, operator, isNegated, value: `{${value.slice(1, -1)}}` }
}

const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s

function unquote(value: string): string {
  const inner = QUOTED.exec(value)?.[1]
  return inner === undefined ? value : inner.replaceAll(/\\(.)/gs, '$1')
}

function listText(parts: readonly string[]): string {
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`
}
