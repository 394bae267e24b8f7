// Renders a cell's text as the JSON that Postgres's to_jsonb would return. The renderer does not call to_jsonb, because that
// would run a cast to json that a tenant defined. Pure.
import { type ArrayText, parseArrayText, parseRecordText } from './row-text.ts'
import type { TypeShape } from './type-shapes.ts'

// The oids of pg_type.dat are the same in every cluster.
const BOOLEAN = 16
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700])
const JSONS: ReadonlySet<number> = new Set([114, 3802])
const MOMENTS: ReadonlySet<number> = new Set([1082, 1114, 1184])

const NUMBER = /^-?\d/
const ISO_MOMENT =
  /^(\d{4,}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)?(:\d\d)?(:\d\d)?)?( BC)?$/

/** Returns the JSON text of a cell in Postgres's text format. */
export function cellJson(type: TypeShape, text: string | null): string {
  if (text === null) return 'null'
  switch (type.kind) {
    case 'scalar':
      return scalarJson(type.oid, text)
    case 'array':
      return arrayJson(type.element(), parseArrayText(text, type.delimiter))
    case 'record':
      return recordJson(type, parseRecordText(text))
    default:
      return type satisfies never
  }
}

function scalarJson(oid: number, text: string): string {
  // JSON has no NaN or infinity, so these values are strings.
  if (NUMBERS.has(oid)) return NUMBER.test(text) ? text : JSON.stringify(text)
  if (oid === BOOLEAN) return text === 't' ? 'true' : 'false'
  if (JSONS.has(oid)) return text
  return JSON.stringify(MOMENTS.has(oid) ? momentText(text) : text)
}

function arrayJson(element: TypeShape, elements: ArrayText): string {
  const parts = elements.map((each) =>
    each === null || typeof each === 'string' ? cellJson(element, each) : arrayJson(element, each),
  )
  return `[${parts.join(',')}]`
}

function recordJson(
  { fields }: TypeShape & { readonly kind: 'record' },
  cells: readonly (string | null)[],
): string {
  const parts = fields.map(
    ({ name, shape }, index) =>
      `${JSON.stringify(name)}:${cellJson(shape(), cells[index] ?? null)}`,
  )
  return `{${parts.join(',')}}`
}

// The text 2026-11-21 15:00:00+00 becomes 2026-11-21T15:00:00+00:00.
function momentText(text: string): string {
  const [, date, time, hours = '', minutes, , era = ''] = ISO_MOMENT.exec(text) ?? []
  if (date === undefined || time === undefined) return text
  return `${date}T${time}${hours}${hours === '' ? '' : (minutes ?? ':00')}${era}`
}
