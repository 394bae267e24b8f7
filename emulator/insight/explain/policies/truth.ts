// SQL's three-valued logic. Evaluates AND and OR from left to right, like Postgres, and stops once the result is known.
// Errors after that point have no effect. Pure.
import type { TruthValue } from '../../../contract/explain.ts'

/** Returns AND of the values, in the order of evaluation. Returns `true` for an empty list. */
export function allOf(values: readonly TruthValue[]): TruthValue {
  return fold(values, 'false', 'true')
}

/** Returns OR of the values, in the order of evaluation. Returns `false` for an empty list. */
export function anyOf(values: readonly TruthValue[]): TruthValue {
  return fold(values, 'true', 'false')
}

export function negated(value: TruthValue): TruthValue {
  if (value === 'true') return 'false'
  return value === 'false' ? 'true' : value
}

/** Converts Postgres's text of a boolean. */
export function truthOf(text: string | null): TruthValue {
  if (text === null) return 'null'
  return text === 't' || text === 'true' ? 'true' : 'false'
}

function fold(
  values: readonly TruthValue[],
  settled: TruthValue,
  otherwise: TruthValue,
): TruthValue {
  let result = otherwise
  for (const value of values) {
    if (value === settled || value === 'error') return value
    if (value === 'null') result = 'null'
  }
  return result
}
