// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import { parseRowKeyText, rowKeyText } from '../../parts/row-key.ts'

export type PoliciesView = 'rules' | 'rows' | 'matrix'

export interface PoliciesSearch {
  /** The policies themselves unless told. */
  readonly view?: Exclude<PoliciesView, 'rules'>
  /** Through whose eyes, as identity-text writes it. */
  readonly as?: string
  /** SELECT unless told. */
  readonly command?: Exclude<RowCommand, 'select'>
  /** The open row's key, as row-key writes it; `new` for the row to insert. */
  readonly row?: string
  /** INSERT: the row; UPDATE: the columns that change. */
  readonly set?: Readonly<Record<string, string | null>>
}

const VIEWS = ['rows', 'matrix'] as const
const COMMANDS = ['insert', 'update', 'delete'] as const

export function parsePoliciesSearch(raw: Readonly<Record<string, unknown>>): PoliciesSearch {
  const view = VIEWS.find((known) => known === raw['view'])
  const identity = parseIdentityText(raw['as'])
  const command = COMMANDS.find((known) => known === raw['command'])
  const row = parseRowKeyText(raw['row'])
  const set = parseCells(raw['set'])
  return {
    ...(view === undefined ? {} : { view }),
    ...(identity === undefined ? {} : { as: identityText(identity) }),
    ...(command === undefined ? {} : { command }),
    ...(row === undefined ? {} : { row: rowKeyText(row) }),
    ...(set === undefined ? {} : { set }),
  }
}

function parseCells(value: unknown): Readonly<Record<string, string | null>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const cells = Object.entries(value).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  )
  return cells.length === 0 ? undefined : Object.fromEntries(cells)
}
