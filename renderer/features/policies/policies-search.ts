// Search parameters in the address of the policies screen.
import type { RowCommand } from '../../../emulator/contract/values.ts'
import {
  identity,
  oneOf,
  rowKey,
  type SearchReader,
  searchReader,
  text,
} from '../../parts/search.ts'

export type PoliciesView = 'rules' | 'rows' | 'matrix'

/** The kinds of edits: of a policy, or of the table's row-level security. */
export const EDIT_KINDS = ['create', 'change', 'drop', 'rls'] as const
export type EditKind = (typeof EDIT_KINDS)[number]

export interface PoliciesSearch {
  /** The open view. The screen shows the policies when the parameter is absent. */
  readonly view?: Exclude<PoliciesView, 'rules'> | undefined
  /** The identity to judge the rows for, in the format of identity-text.ts. */
  readonly as?: string | undefined
  /** The command to judge, or SELECT when the parameter is absent. */
  readonly command?: Exclude<RowCommand, 'select'> | undefined
  /** The key of the open row in the format of row-key.ts, or `new` for the row to insert. */
  readonly row?: string | undefined
  /** The new row for INSERT, or the changed columns for UPDATE. */
  readonly set?: Readonly<Record<string, string | null>> | undefined
  /** The open editor. */
  readonly edit?: EditKind | undefined
  /** The policy that the editor changes or drops. */
  readonly policy?: string | undefined
}

export const parsePoliciesSearch: SearchReader<PoliciesSearch> = searchReader<PoliciesSearch>({
  view: oneOf(['rows', 'matrix']),
  as: identity,
  command: oneOf(['insert', 'update', 'delete']),
  row: rowKey,
  set: cells,
  edit: oneOf(EDIT_KINDS),
  policy: text,
})

function cells(value: unknown): Readonly<Record<string, string | null>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const found = Object.entries(value).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
