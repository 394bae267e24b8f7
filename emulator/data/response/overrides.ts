// Reads the status and headers that a function or trigger set through `response.status` and `response.headers` (PostgREST,
// "Transaction-scoped settings: Response Headers, Response Status Code"). Pure.
import { isJsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import { DataError } from '../errors.ts'
import { isSendable } from '../from-sql-error.ts'

/** @throws {DataError} PGRST112 */
export function statusOverride(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const status = Number(/^\d+/.exec(text)?.[0] ?? Number.NaN)
  if (status >= 200 && status <= 599) return status
  throw new DataError('PGRST112', 'response.status guc must be a valid status code')
}

/** @throws {DataError} PGRST111 */
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
