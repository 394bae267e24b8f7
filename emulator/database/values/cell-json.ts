// Renders a cell's text as the JSON that Postgres's to_jsonb would return. The renderer does not call to_jsonb, because that
// would run a cast to json that a tenant defined. Pure.
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type ArrayText, parseArrayText, parseRecordText } from './row-text.ts'

/** The properties of a type that decide how its values become JSON. */
export type CellType =
  | { readonly kind: 'number' | 'boolean' | 'json' | 'moment' | 'text' }
  | { readonly kind: 'array'; readonly element: () => CellType; readonly delimiter: string }
  | {
      readonly kind: 'record'
      readonly fields: readonly { readonly name: string; readonly type: () => CellType }[]
    }

const NUMBER = /^-?\d/
const ISO_MOMENT =
  /^(\d{4,}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)?(:\d\d)?(:\d\d)?)?( BC)?$/

/** Returns the JSON text of a cell in Postgres's text format. */
export function cellJson(type: CellType, text: string | null): string {
  if (text === null) return 'null'
  switch (type.kind) {
    case 'number':
      // JSON has no NaN or infinity, so these values are strings.
      return NUMBER.test(text) ? text : JSON.stringify(text)
    case 'boolean':
      return text === 't' ? 'true' : 'false'
    case 'json':
      return text
    case 'moment':
      return JSON.stringify(momentText(text))
    case 'text':
      return JSON.stringify(text)
    case 'array':
      return arrayJson(type.element(), parseArrayText(text, type.delimiter))
    case 'record':
      return recordJson(type, parseRecordText(text))
    default:
      return type satisfies never
  }
}

function arrayJson(element: CellType, elements: ArrayText): string {
  const parts = elements.map((each) =>
    each === null || typeof each === 'string' ? cellJson(element, each) : arrayJson(element, each),
  )
  return `[${parts.join(',')}]`
}

function recordJson(
  { fields }: CellType & { readonly kind: 'record' },
  cells: readonly (string | null)[],
): string {
  const parts = fields.map(
    ({ name, type }, index) => `${JSON.stringify(name)}:${cellJson(type(), cells[index] ?? null)}`,
  )
  return `{${parts.join(',')}}`
}

// The text 2026-11-21 15:00:00+00 becomes 2026-11-21T15:00:00+00:00.
function momentText(text: string): string {
  const [, date, time, hours = '', minutes, , era = ''] = ISO_MOMENT.exec(text) ?? []
  if (date === undefined || time === undefined) return text
  return `${date}T${time}${hours}${hours === '' ? '' : (minutes ?? ':00')}${era}`
}

// The oids of pg_type.dat are the same in every cluster.
const BUILT_IN: readonly {
  readonly kind: 'boolean' | 'number' | 'json' | 'moment'
  readonly oids: readonly number[]
}[] = [
  { kind: 'boolean', oids: [16] },
  { kind: 'number', oids: [20, 21, 23, 700, 701, 1700] },
  { kind: 'json', oids: [114, 3802] },
  { kind: 'moment', oids: [1082, 1114, 1184] },
]
const TEXT: CellType = { kind: 'text' }

/** Returns a look-up by oid over the records that describe types (PostgreSQL's json_categorize_type). */
export function cellTypes(records: readonly JsonObject[]): (oid: number) => CellType {
  const described = new Map(records.map((record) => [Number(record['oid']), record]))
  const known = new Map<number, CellType>(
    BUILT_IN.flatMap(({ kind, oids }) => oids.map((oid) => [oid, { kind }] as const)),
  )
  const typeOf = (oid: number): CellType => {
    const found = known.get(oid)
    if (found !== undefined) return found
    const record = described.get(oid)
    const type = record === undefined ? TEXT : cellType(record, typeOf)
    known.set(oid, type)
    return type
  }
  return typeOf
}

// The parts of a type are looked up lazily, because a type may contain itself (a table with an array of its own rows).
function cellType(record: JsonObject, typeOf: (oid: number) => CellType): CellType {
  const element = Number(record['element'])
  if (element !== 0)
    return {
      kind: 'array',
      element: () => typeOf(element),
      delimiter: String(record['delimiter'] ?? ','),
    }
  if (record['kind'] === 'd') return typeOf(Number(record['base']))
  if (record['kind'] !== 'c' || !Array.isArray(record['fields'])) return TEXT
  return {
    kind: 'record',
    fields: record['fields'].filter(isJsonObject).map((field) => ({
      name: String(field['name']),
      type: () => typeOf(Number(field['oid'])),
    })),
  }
}
