// A cell in Postgres's text format as JSON, by its type (contract.md §4: `rows` is a list of objects). Pure.
import { type JsonValue, parseJson } from '../../core/json.ts'

const BOOLEAN = 16
const BIGINT = 20
const NUMBERS = new Set([
  21 /* int2 */, 23 /* int4 */, 26 /* oid */, 700 /* float4 */, 701 /* float8 */,
])
const JSONS = new Set([114 /* json */, 3802 /* jsonb */])

/** `undefined` is SQL's null. A bigint that JSON's numbers cannot hold, NaN and infinities stay text. */
export function decodeCell(text: string | undefined, typeOid: number): JsonValue {
  if (text === undefined) return null
  if (typeOid === BOOLEAN) return text === 't'
  if (JSONS.has(typeOid)) return parseJson(text) ?? text
  const isNumeric = NUMBERS.has(typeOid) || typeOid === BIGINT
  if (!isNumeric) return text
  const number = Number(text)
  const isExact = typeOid === BIGINT ? Number.isSafeInteger(number) : Number.isFinite(number)
  return isExact ? number : text
}
