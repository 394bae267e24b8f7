// Measures what a lookup without an index costs, with EXPLAIN. Pure: the caller runs the query.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { Lookup } from './model-findings.ts'

/** Returns a query that looks one row up by the columns, as a policy does. The query changes nothing. */
export function lookupQuery({ columns, table }: Lookup): string {
  const name = quoteIdentifier(table)
  const list = columns.map(quoteIdentifier).join(', ')
  return `explain (analyze, timing off, costs off, format json) select from ${name} where (${list}) = (select ${list} from ${name} limit 1)`
}

/** Reads the rows of `lookupQuery`. Returns milliseconds, or `undefined` for another answer. */
export function millisOf([row]: readonly JsonObject[]): number | undefined {
  const cell = Object.values(row ?? {})[0]
  const plans = typeof cell === 'string' ? parseJson(cell) : cell
  const plan: JsonValue | undefined = Array.isArray(plans) ? plans[0] : undefined
  const time = isJsonObject(plan) ? plan['Execution Time'] : undefined
  return typeof time === 'number' ? time : undefined
}

export function lookupCost(rows: number, millis: number, slug: string): string {
  return `In ${slug}, a comparison reads ${rows} ${rows === 1 ? 'row' : 'rows'} in ${millis.toFixed(2)} ms.`
}
