// Converts row keys to texts and back, for addresses (`id:3` or `invoice_id:1,line:2`) and lists, and to filters. Pure.
import type { RowFilter } from '../../emulator/contract/values.ts'

/**
 * The values of the primary key's columns, or of all columns when the table has no primary key. The value `null` is
 * SQL's null.
 */
export type RowKey = Readonly<Record<string, string | null>>

/** Writes a key as text, with percent-encoded names and values. A null value has no colon. */
export function rowKeyText(key: RowKey): string {
  return Object.entries(key)
    .map(([name, value]) =>
      value === null
        ? encodeURIComponent(name)
        : `${encodeURIComponent(name)}:${encodeURIComponent(value)}`,
    )
    .join(',')
}

/** Returns `undefined` when the text is not a row key. */
export function parseRowKeyText(text: unknown): RowKey | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    return Object.fromEntries(
      text.split(',').map((pair) => {
        const colon = pair.indexOf(':')
        return colon === -1
          ? [decodeURIComponent(pair), null]
          : [decodeURIComponent(pair.slice(0, colon)), decodeURIComponent(pair.slice(colon + 1))]
      }),
    )
  } catch {
    return undefined
  }
}

/** The filters that only the row with this key passes. */
export function filtersOfKey(key: RowKey): readonly RowFilter[] {
  return Object.entries(key).map(([column, value]) =>
    value === null ? { column, operator: 'is_null' } : { column, operator: 'eq', value },
  )
}

/** A readable label for a key: `3`, or `invoice_id 1, line 2`. */
export function rowKeyLabel(key: RowKey): string {
  const entries = Object.entries(key)
  const [only] = entries
  if (entries.length === 1 && only !== undefined) return only[1] ?? 'null'
  return entries.map(([name, value]) => `${name} ${value ?? 'null'}`).join(', ')
}

type Row = Readonly<Record<string, string | null>>
type KeyColumns = readonly { readonly name: string; readonly is_key: boolean }[]

/** Returns a function that extracts the key from complete rows, for thousands of them. */
export function keyReader(columns: KeyColumns): (row: Row) => RowKey {
  const keyed = columns.filter(({ is_key }) => is_key)
  const names = (keyed.length === 0 ? columns : keyed).map(({ name }) => name)
  return (row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
}

/** Extracts the key from a complete row. */
export function keyOfRow(row: Row, columns: KeyColumns): RowKey {
  return keyReader(columns)(row)
}
