// From the catalogue's types to what their JSON looks like (PostgreSQL's json_categorize_type). Pure.
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { CellType } from './cell-json.ts'

// pg_type.dat: fixed by hand, the same in every cluster.
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

/** Looks types up by oid; takes the records that describe them. */
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

// Types may contain themselves (a table with an array of its own rows), so parts are looked up when they are needed.
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
