// The cells of an audit: what each identity sees of each table, and how that differs from a baseline. Pure.
import type { AuditBaseline, AuditCell } from '../../../contract/audit.ts'
import { SqlError } from '../../../database/engine.ts'
import type { Count } from './row-counts.ts'

const NO_PRIVILEGE = '42501'

/** @param total the number of rows of the table; `undefined` when it is unknown */
export function cellOf(count: Count, total: number | undefined): AuditCell {
  if (count === undefined) return unread('refused', 'The role has no SELECT on the table.')
  if (count instanceof SqlError)
    return unread(count.code === NO_PRIVILEGE ? 'refused' : 'failed', count.message)
  const { numbers, rows } = count
  const seen = rows === 0 ? 'none' : rows === total ? 'all' : 'some'
  return {
    seen,
    rows,
    reason: null,
    baseline: [`${rows}:`, ...numbers].join(' ').replace(/:$/, ''),
  }
}

function unread(seen: 'refused' | 'failed', reason: string): AuditCell {
  return { seen, rows: null, reason, baseline: seen }
}

export interface CellChange {
  readonly table: string
  readonly identity: string
  readonly kind: 'sees-more' | 'sees-less'
  /** The number of rows in the baseline; `undefined` when the baseline has no such cell. */
  readonly before: number | undefined
  readonly after: number
  /** The number of a row that the identity did not see before; `undefined` when no such row can be identified. */
  readonly newRow: string | undefined
}

export interface PictureCell {
  readonly table: string
  readonly identity: string
  readonly cell: AuditCell
}

/** Returns the cells that differ from the baseline. A cell that the baseline lacks counts as nothing seen. */
export function compareCells(
  baseline: AuditBaseline,
  cells: readonly PictureCell[],
): readonly CellChange[] {
  return cells.flatMap(({ cell, identity, table }) => {
    const text = baseline[table]?.[identity]
    const before = decode(text)
    const after = decode(cell.baseline)
    const kind = changeOf(before, after)
    if (kind === undefined) return []
    const newRow = after.numbers.find((number) => !before.numbers.includes(number))
    return [
      {
        table,
        identity,
        kind,
        before: text === undefined ? undefined : before.rows,
        after: after.rows,
        newRow: isListed(before) && isListed(after) ? newRow : undefined,
      },
    ]
  })
}

interface Decoded {
  readonly rows: number
  readonly numbers: readonly string[]
}

function decode(text: string | undefined): Decoded {
  const [rows = '', ...numbers] = (text ?? '').split(' ')
  return { rows: Number.parseInt(rows, 10) || 0, numbers }
}

function isListed({ numbers, rows }: Decoded): boolean {
  return numbers.length === rows
}

function changeOf(before: Decoded, after: Decoded): CellChange['kind'] | undefined {
  if (before.numbers.join(' ') === after.numbers.join(' ') && before.rows === after.rows)
    return undefined
  if (isListed(before) && isListed(after))
    return isSubset(after.numbers, before.numbers) ? 'sees-less' : 'sees-more'
  return after.rows < before.rows ? 'sees-less' : 'sees-more'
}

// Rows without a key can be equal. The same number can therefore occur more than once, and each occurrence counts.
function isSubset(some: readonly string[], others: readonly string[]): boolean {
  const left = [...others]
  return some.every((number) => {
    const at = left.indexOf(number)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
