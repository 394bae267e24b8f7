// Writes a row's primary key as the history of rows expects it (contract/history.ts). Pure.
import type { TableIndex } from '../../../emulator/contract/tables.ts'
import type { RowKey } from '../row-key.ts'

interface Keyed {
  readonly columns: readonly { readonly name: string; readonly is_key: boolean }[]
  readonly indexes: readonly Pick<TableIndex, 'constraint' | 'definition'>[]
}

/**
 * Returns the value of a key with one column. Returns a JSON array in the order of the key's columns otherwise. Returns
 * `undefined` for a table without a primary key, whose rows cannot be told apart.
 */
export function historyKeyText(key: RowKey, structure: Keyed): string | undefined {
  const keyed = structure.columns.filter(({ is_key }) => is_key).map(({ name }) => name)
  if (keyed.length === 0) return undefined
  const order = primaryKeyOrder(structure)
  const values = keyed
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    .map((name) => key[name] ?? '')
  const [only = ''] = values
  // The server reads a text with this bracket as an array.
  return values.length === 1 && !only.startsWith('[') ? only : JSON.stringify(values)
}

/** The columns' names in a definition such as `btree (b, "a b")`. */
function primaryKeyOrder({ indexes }: Keyed): readonly string[] {
  const definition = indexes.find(({ constraint }) => constraint === 'primary_key')?.definition
  const list = definition?.slice(definition.indexOf('(')) ?? ''
  return [...list.matchAll(/"((?:[^"]|"")+)"|[^\s,()]+/g)].map(
    ([word, quoted]) => quoted?.replaceAll('""', '"') ?? word,
  )
}
