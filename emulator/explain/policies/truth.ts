// SQL's three-valued logic as Postgres evaluates it: from left to right, and only until the result is known. So an error
// after that point does not happen. Pure.
import type { TruthValue } from '../../contract/explain.ts'

/** AND over the values in the order of evaluation. `true` for none. */
export function allOf(values: readonly TruthValue[]): TruthValue {
  return fold(values, 'false', 'true')
}

/** OR over the values in the order of evaluation. `false` for none. */
export function anyOf(values: readonly TruthValue[]): TruthValue {
  return fold(values, 'true', 'false')
}

export function negated(value: TruthValue): TruthValue {
  if (value === 'true') return 'false'
  return value === 'false' ? 'true' : value
}

/** From Postgres's text of a boolean. */
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
