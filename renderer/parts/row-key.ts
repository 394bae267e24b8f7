// Keys of rows as texts: for addresses (`id:3` or `invoice_id:1,line:2`) and as names of rows in lists. Pure.

/** Primary key columns, or every column where there is no key; `null` is SQL's null. */
export type RowKey = Readonly<Record<string, string | null>>

/** Readable and reversible: names and values percent-encoded, a null without its colon. */
export function rowKeyText(key: RowKey): string {
  return Object.entries(key)
    .map(([name, value]) =>
      value === null
        ? encodeURIComponent(name)
        : `${encodeURIComponent(name)}:${encodeURIComponent(value)}`,
    )
    .join(',')
}

/** `undefined` when the text is no key. */
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

/** A label: `3`, or `invoice_id 1, line 2`. */
export function rowKeyLabel(key: RowKey): string {
  const entries = Object.entries(key)
  const [only] = entries
  if (entries.length === 1 && only !== undefined) return only[1] ?? 'null'
  return entries.map(([name, value]) => `${name} ${value ?? 'null'}`).join(', ')
}

/** The key of a whole row. */
export function keyOfRow(
  row: Readonly<Record<string, string | null>>,
  columns: readonly { readonly name: string; readonly is_key: boolean }[],
): RowKey {
  const keyed = columns.filter(({ is_key }) => is_key)
  return Object.fromEntries(
    (keyed.length === 0 ? columns : keyed).map(({ name }) => [name, row[name] ?? null]),
  )
}
