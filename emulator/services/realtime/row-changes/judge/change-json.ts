// Renders the part of a row change that a role may see, as `data` of a postgres_changes frame (docs/wire/realtime.md#changes).
// Pure.
import { toIso } from '../../../../core/time.ts'
import type {
  ChangedRow,
  RowChange,
  WatchedColumn,
} from '../../../../database/changes/row-change.ts'
import type { Identity } from './verdict.ts'

// Realtime leaves long values out of larger changes, because upstream truncates WAL records above 1 MiB.
const MAX_CHANGE_BYTES = 1 << 20
const KEPT_VALUE_BYTES = 64
const TOO_LARGE = 'Error 413: Payload Too Large'

interface Place {
  readonly column: WatchedColumn
  readonly index: number
}

/**
 * @param refusal upstream's text that says why the role gets neither columns nor values
 * @param only the names of the columns to include in addition to the key (default: all columns)
 */
export function changeJson(
  change: RowChange,
  role: Identity['role'],
  refusal: string | undefined,
  only: ReadonlySet<string> | undefined,
): string {
  if (refusal !== undefined) return object([...head(change), ['errors', JSON.stringify([refusal])]])
  const places = change.table.columns
    .map((column, index) => ({ column, index }))
    .filter(
      ({ column: { isKey, name, readers } }) =>
        readers.has(role) && (only === undefined || isKey || only.has(name)),
    )
  return dataOf(change, places)
}

type Member = readonly [name: string, json: string]

function object(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

function head({ table, kind, committedAt }: RowChange): readonly Member[] {
  return [
    ['schema', JSON.stringify(table.schemaName)],
    ['table', JSON.stringify(table.name)],
    ['commit_timestamp', JSON.stringify(toIso(committedAt))],
    ['type', JSON.stringify(kind)],
  ]
}

function dataOf(change: RowChange, places: readonly Place[]): string {
  const { kind, row, oldRow } = change
  const isCut = change.sizeBytes > MAX_CHANGE_BYTES
  const columns = places.map(({ column: { name, type } }) => JSON.stringify({ name, type }))
  // Policies cannot be evaluated on a deleted row, so only its key is sent.
  const oldPlaces = kind === 'DELETE' ? places.filter(({ column }) => column.isKey) : places
  const members: Member[] = [...head(change), ['columns', `[${columns.join(',')}]`]]
  if (row !== undefined) members.push(['record', rowJson(row, places, isCut)])
  if (oldRow !== undefined) members.push(['old_record', rowJson(oldRow, oldPlaces, isCut)])
  members.push(['errors', isCut ? JSON.stringify([TOO_LARGE]) : 'null'])
  return object(members)
}

function rowJson(row: ChangedRow, places: readonly Place[], isCut: boolean): string {
  const members: Member[] = []
  for (const { column, index } of places) {
    if (row.texts[index] === undefined) continue
    const json = row.jsonOf(index)
    if (!isCut || Buffer.byteLength(json) <= KEPT_VALUE_BYTES) members.push([column.name, json])
  }
  return object(members)
}
