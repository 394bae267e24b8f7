// What the address of the policies screen holds beside its path.
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { identity, oneOf, rowKey, type SearchReader, searchReader } from '../../parts/search.ts'

export type PoliciesView = 'rules' | 'rows' | 'matrix'

export interface PoliciesSearch {
  /** The policies themselves when absent. */
  readonly view?: Exclude<PoliciesView, 'rules'> | undefined
  /** Identity that the rows are judged for, as identity-text writes it. */
  readonly as?: string | undefined
  /** SELECT when absent. */
  readonly command?: Exclude<RowCommand, 'select'> | undefined
  /** The open row's key, as row-key writes it; `new` for the row to insert. */
  readonly row?: string | undefined
  /** INSERT: the row; UPDATE: the columns that change. */
  readonly set?: Readonly<Record<string, string | null>> | undefined
}

export const parsePoliciesSearch: SearchReader<PoliciesSearch> = searchReader<PoliciesSearch>({
  view: oneOf(['rows', 'matrix']),
  as: identity,
  command: oneOf(['insert', 'update', 'delete']),
  row: rowKey,
  set: cells,
})

function cells(value: unknown): Readonly<Record<string, string | null>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const found = Object.entries(value).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
