// Encodes the cursor of list-v2, which says where the next page begins. Clients treat the cursor as opaque. The sort order in
// the cursor overrides the request's sort order (docs/wire/storage.md#lists).
import { epochMillis } from '../../../core/time.ts'
import { StorageError } from '../errors.ts'
import type { ListPlace } from './list-scope.ts'

/** Columns by which list-v2 can sort. */
export const SORT_COLUMNS = ['name', 'updated_at', 'created_at'] as const

export type SortColumn = (typeof SORT_COLUMNS)[number]

export interface ListCursor {
  readonly column: SortColumn
  readonly isDescending: boolean
  readonly after: ListPlace
}

export function encodeCursor({ column, isDescending, after }: ListCursor): string {
  const lines = [`l:${after.key}`, `o:${isDescending ? 'desc' : 'asc'}`, `c:${column}`]
  if (after.instant !== undefined) lines.push(`a:${after.instant}`)
  return Buffer.from(lines.join('\n')).toString('base64')
}

/** @throws {StorageError} `invalidParameter` for text that `encodeCursor` did not write */
export function decodeCursor(text: string): ListCursor {
  const fields = new Map(
    Buffer.from(text, 'base64')
      .toString()
      .split('\n')
      .map((line) => [line.slice(0, 2), line.slice(2)]),
  )
  const key = fields.get('l:')
  const order = fields.get('o:')
  const column = SORT_COLUMNS.find((known) => known === fields.get('c:'))
  const instant = fields.get('a:')
  const isSound =
    (order === 'asc' || order === 'desc') && (instant === undefined || /^\d{1,15}$/.test(instant))
  if (key === undefined || column === undefined || !isSound)
    throw new StorageError('invalidParameter')
  return {
    column,
    isDescending: order === 'desc',
    after: { key, instant: instant === undefined ? undefined : epochMillis(Number(instant)) },
  }
}
