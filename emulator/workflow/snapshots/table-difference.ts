// Compares the rows of one table in two states by key, down to the cells (contract/snapshots.ts). Pure.
import type { SnapshotDiff } from '../../contract/snapshots.ts'
import { parseRecordText } from '../../database/values/row-text.ts'
import { type ShownRow, shownRow } from './shown-cells.ts'
import type { TableContent } from './tenant-content.ts'

type TableDiff = SnapshotDiff['tenants'][number]['tables'][number]
type RowDiff = TableDiff['rows'][number]
type CellDiff = RowDiff['cells'][number]

/** Number of rows that the differences of one table list. */
const ROWS_PER_TABLE = 50

/** The number of further rows that all tables of a comparison together may list. */
export interface RoomForRows {
  left: number
}

/** Returns `undefined` when the table is equal in both states. */
export function tableDifference(
  table: string,
  was: TableContent | undefined,
  is: TableContent | undefined,
  room: RoomForRows,
): TableDiff | undefined {
  const sides: Sides = { table, was, is }
  const counts = { rows_added: 0, rows_removed: 0, rows_changed: 0 }
  const found: RowDiff[] = []
  for (const difference of rowDifferences(sides)) {
    counts[`rows_${difference.change}`] += 1
    if (found.length < Math.min(ROWS_PER_TABLE, room.left)) found.push(shown(sides, difference))
  }
  room.left -= found.length
  const isSameStructure = was?.structure === is?.structure
  if (isSameStructure && counts.rows_added + counts.rows_removed + counts.rows_changed === 0)
    return undefined
  return { table, ...counts, structure_changed: !isSameStructure, rows: found.toSorted(byKey) }
}

interface Sides {
  readonly table: string
  readonly was: TableContent | undefined
  readonly is: TableContent | undefined
}

interface Difference {
  readonly change: RowDiff['change']
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

function* rowDifferences({ was, is }: Sides): Generator<Difference> {
  const isSameShape = was?.columns.join('\0') === is?.columns.join('\0')
  for (const [key, texts] of is?.rows ?? []) {
    const earlier = was?.rows.get(key) ?? []
    const [before, after] = [earlier[0], texts[0]]
    for (const text of texts.slice(earlier.length))
      yield { change: 'added', key, before: undefined, after: text }
    if (earlier.length !== 1 || texts.length !== 1 || before === after) continue
    if (isSameShape || changedCells(cellsOf(was, before), cellsOf(is, after)).length > 0)
      yield { change: 'changed', key, before, after }
  }
  for (const [key, texts] of was?.rows ?? [])
    for (const text of texts.slice(is?.rows.get(key)?.length ?? 0))
      yield { change: 'removed', key, before: text, after: undefined }
}

function shown({ table, was, is }: Sides, { change, key, before, after }: Difference): RowDiff {
  const columns = (is ?? was)?.key ?? []
  const parts = columns.length === 0 ? [] : parseRecordText(key)
  return {
    key: Object.fromEntries(columns.map((column, place) => [column, parts[place] ?? null])),
    change,
    cells: changedCells(cellsOf(was, before), cellsOf(is, after)).map((cell) =>
      isSecret(table, cell.column) ? masked(cell) : cell,
    ),
    made_by: [],
  }
}

function cellsOf(content: TableContent | undefined, text: string | undefined): ShownRow {
  return content === undefined || text === undefined ? new Map() : shownRow(content.columns, text)
}

// A column that is missing in one of the states counts as null there, so that a new column without values changes no row.
function changedCells(before: ShownRow, after: ShownRow): readonly CellDiff[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((column) => ({
      column,
      before: before.get(column) ?? null,
      after: after.get(column) ?? null,
    }))
    .filter((cell) => cell.before !== cell.after)
}

// Whether the column contains a digest or a sealed secret of the platform's own tables (database/tenant-schema/auth-tables.sql).
function isSecret(table: string, column: string): boolean {
  return table.startsWith('auth_') && /hash|^secret$|^replacement$|^code_challenge$/.test(column)
}

function masked({ column, before, after }: CellDiff): CellDiff {
  const mask = (text: string | null): string | null => (text === null ? null : 'masked')
  return { column, before: mask(before), after: mask(after) }
}

const collator = new Intl.Collator('en', { numeric: true })

function byKey(one: RowDiff, other: RowDiff): number {
  const [a, b] = [one, other].map(({ key }) => Object.values(key).join(' '))
  return collator.compare(a ?? '', b ?? '')
}
