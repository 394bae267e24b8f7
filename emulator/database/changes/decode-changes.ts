// Turns rows of the outbox into ordered, numbered row changes with their tables' columns. The change feed calls this module.
// Pure.
import type { EpochMillis } from '../../core/time.ts'
import { cellText, type StatementResult } from '../engine.ts'
import { cellJson } from '../values/cell-json.ts'
import { parseRecordText } from '../values/row-text.ts'
import { type CapturedChange, type CapturedRow, orderChanges } from './change-order.ts'
import type { ChangedRow, RowChange } from './row-change.ts'
import type { RowLayout, WatchedTables } from './watched-tables.ts'

export interface Stamp {
  readonly committedAt: EpochMillis
  readonly committedWallAt: EpochMillis
  /** The id of the request that made the changes. */
  readonly requestId: string | undefined
  /** The number of the last change before this job. The job's first change gets the next number. */
  readonly number: number
}

/**
 * Decodes the rows that one job captured. Leaves out rows of relations without a subscriber. A job that alters a table captures
 * rows in two layouts. The number of cells selects the layout; the newer layout wins when both fit.
 * @param layouts the newest first
 */
export function decodeChanges(
  captured: StatementResult | undefined,
  layouts: readonly WatchedTables['layouts'][],
  stamp: Stamp,
): readonly RowChange[] {
  if (captured === undefined) return []
  const changes: RowChange[] = []
  for (const change of orderChanges(toRows(captured))) {
    const decoded = decodeChange(change, layouts, {
      ...stamp,
      number: stamp.number + changes.length + 1,
    })
    if (decoded !== undefined) changes.push(decoded)
  }
  return changes
}

function toRows({ rows }: StatementResult): readonly CapturedRow[] {
  return rows
    .map(([id, relation, kind, depth, text]) => ({
      id: Number(cellText(id)),
      relation: Number(cellText(relation)),
      kind: cellText(kind) ?? '',
      depth: Number(cellText(depth)),
      text: cellText(text) ?? '',
    }))
    .sort((one, other) => one.id - other.id)
}

function decodeChange(
  { relation, before, after }: CapturedChange,
  layouts: readonly WatchedTables['layouts'][],
  { committedAt, committedWallAt, requestId, number }: Stamp,
): RowChange | undefined {
  const beforeCells = before === undefined ? undefined : parseRecordText(before)
  const afterCells = after === undefined ? undefined : parseRecordText(after)
  const width = (afterCells ?? beforeCells)?.length
  const layout = layouts.map((known) => known.get(relation)).find((known) => known?.width === width)
  if (layout === undefined) return undefined
  const row = afterCells === undefined ? {} : { row: new DecodedRow(layout, afterCells, false) }
  const old = beforeCells === undefined ? {} : { oldRow: new DecodedRow(layout, beforeCells, true) }
  return {
    number,
    table: layout.table,
    kind: before === undefined ? 'INSERT' : after === undefined ? 'DELETE' : 'UPDATE',
    committedAt,
    committedWallAt,
    ...(requestId === undefined ? {} : { requestId }),
    ...row,
    ...old,
    sizeBytes: Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? ''),
  }
}

class DecodedRow implements ChangedRow {
  readonly texts: readonly (string | null | undefined)[]
  readonly #layout: RowLayout

  constructor(layout: RowLayout, cells: readonly (string | null)[], isOld: boolean) {
    this.#layout = layout
    const { columns } = layout.table
    this.texts = layout.places.map((place, column) =>
      isOld && columns[column]?.isIdentity !== true ? undefined : cells[place],
    )
  }

  jsonOf(column: number): string {
    const type = this.#layout.types[column]
    const text = this.texts[column]
    return type === undefined || text === undefined ? 'null' : cellJson(type, text)
  }
}
