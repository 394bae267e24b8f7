// Computes parts of a response's head (PostgREST, "Pagination", "Counting", "Transaction-scoped settings: Response Headers,
// Response Status Code"; RFC 9110 §14). Pure.
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { DataError } from '../errors.ts'
import { isSendable } from '../from-sql-error.ts'
import type { Range } from '../request/range.ts'

export interface PageHead {
  readonly status: 200 | 206 | 416
  readonly contentRange: string
}

/**
 * Computes status and header of a page.
 * @param total `undefined` when the request did not ask for a count
 */
export function pageHead(range: Range, rowCount: number, total: number | undefined): PageHead {
  const lower = range.lower
  const upper = lower + BigInt(rowCount) - 1n
  return {
    status: statusOf(lower, rowCount, total),
    contentRange: contentRange(lower, upper, total),
  }
}

/** Formats `0-9/100`. Prints an empty page and an unknown total as `*`. */
export function contentRange(
  lower: bigint | number,
  upper: bigint | number,
  total: number | undefined,
): string {
  const rows = total !== 0 && lower <= upper ? `${lower}-${upper}` : '*'
  return `${rows}/${total ?? '*'}`
}

function statusOf(lower: bigint, rowCount: number, total: number | undefined): PageHead['status'] {
  if (total === undefined) return 200
  if (lower > BigInt(total)) return 416
  return rowCount < total ? 206 : 200
}

/** Reads the status that a function or trigger set through `response.status`. @throws {DataError} PGRST112 */
export function statusOverride(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const status = Number(/^\d+/.exec(text)?.[0] ?? Number.NaN)
  if (status >= 200 && status <= 599) return status
  throw new DataError('PGRST112', 'response.status guc must be a valid status code')
}

/** Reads the headers that a function or trigger set through `response.headers`. @throws {DataError} PGRST111 */
export function headerOverrides(
  text: string | undefined,
): readonly (readonly [name: string, value: string])[] {
  if (text === undefined) return []
  const list = parseJson(text)
  if (!Array.isArray(list)) throw malformed()
  return (list as readonly JsonValue[]).map((one) => {
    const [pair, ...others] = isJsonObject(one) ? Object.entries(one) : []
    if (pair === undefined || others.length > 0) throw malformed()
    const [name, value] = pair
    if (typeof value !== 'string' || !isSendable(name, value)) throw malformed()
    return [name, value] as const
  })
}

function malformed(): DataError {
  return new DataError(
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  )
}
