// Converts a cell from Postgres's text format to JSON by its type, for the `rows` of db/exec. Pure.
import { type JsonValue, parseJson } from '../../../core/json.ts'
import {
  type ArrayText,
  parseArrayText,
  parseRecordText,
} from '../../../database/values/row-text.ts'
import type { TypeShape } from '../../../database/values/type-shapes.ts'

const BOOLEAN = 16
const BIGINT = 20
const NUMBERS = new Set([
  21 /* int2 */, 23 /* int4 */, 26 /* oid */, 700 /* float4 */, 701 /* float8 */,
])
const JSONS = new Set([114 /* json */, 3802 /* jsonb */])

/**
 * Returns the cell as JSON; `undefined` is SQL NULL. NaN, infinities and bigints beyond the range of JSON numbers stay text.
 * Arrays become lists and composites become objects; their elements follow the same rules.
 */
export function decodeCell(text: string | undefined, shape: TypeShape): JsonValue {
  if (text === undefined) return null
  switch (shape.kind) {
    case 'scalar':
      return decodeScalar(text, shape.oid)
    case 'array':
      return decodeElements(parseArrayText(text, shape.delimiter), shape.element())
    case 'record': {
      const cells = parseRecordText(text)
      return Object.fromEntries(
        shape.fields.map((field, index) => [
          field.name,
          decodeCell(cells[index] ?? undefined, field.shape()),
        ]),
      )
    }
    default:
      return shape satisfies never
  }
}

function decodeElements(elements: ArrayText, shape: TypeShape): JsonValue {
  return elements.map((element) =>
    element === null || typeof element === 'string'
      ? decodeCell(element ?? undefined, shape)
      : decodeElements(element, shape),
  )
}

function decodeScalar(text: string, typeOid: number): JsonValue {
  if (typeOid === BOOLEAN) return text === 't'
  if (JSONS.has(typeOid)) return decodeJson(text)
  const isNumeric = NUMBERS.has(typeOid) || typeOid === BIGINT
  if (!isNumeric) return text
  const number = Number(text)
  const isExact = typeOid === BIGINT ? Number.isSafeInteger(number) : Number.isFinite(number)
  return isExact ? number : text
}

function decodeJson(text: string): JsonValue {
  const value = parseJson(text)
  return value === undefined ? text : value
}
