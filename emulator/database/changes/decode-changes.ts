// Turns rows of the outbox into ordered, numbered row changes with their tables' columns. Pairs old and new rows of updates. A
// statement trigger captures a nested statement before its outer statement, so the order of capture is not the order of the
// changes. Pure.
import type { EpochMillis } from '../../core/time.ts'
import { cellText } from '../engine.ts'
import type { CapturedRows } from '../engine-changes.ts'
import { cellJson } from '../values/cell-json.ts'
import { parseRecordText } from '../values/row-text.ts'
import type { ChangedRow, RowChange } from './row-change.ts'
import type { RowLayout, WatchedTables } from './watched-tables.ts'

/** A row of the outbox (tenant-schema/change-capture/outbox.sql). */
export interface CapturedRow {
  readonly id: number
  readonly relation: number
  /** The kind of row: `I` was inserted, `D` deleted, `O` is the old and `N` the new row of an update. */
  readonly kind: string
  /** The trigger depth of the captured statement, from 1. */
  readonly depth: number
  readonly text: string
}

export interface CapturedChange {
  /** The id of the row from which the change is known last. */
  readonly id: number
  readonly relation: number
  readonly before: string | undefined
  readonly after: string | undefined
  readonly depth: number
}

/**
 * Pairs and orders the rows that one job captured. An update by a trigger of an insert, for example, is captured before the
 * insert. @param rows in the order of their ids
 */
export function orderChanges(rows: readonly CapturedRow[]): readonly CapturedChange[] {
  const changes = pairUpdates(rows)
  const isNested = changes.some(({ depth }) => depth !== changes[0]?.depth)
  return isNested ? orderVersions(changes) : changes
}

// Each update captures all old rows, then the same number of new rows in the same order.
function pairUpdates(rows: readonly CapturedRow[]): readonly CapturedChange[] {
  const changes: CapturedChange[] = []
  const before: string[] = []
  let paired = 0
  for (const { id, relation, kind, depth, text } of rows) {
    if (kind === 'O') before.push(text)
    else if (kind === 'N') {
      changes.push({ id, relation, before: before[paired++], after: text, depth })
      if (paired < before.length) continue
      before.length = 0
      paired = 0
    } else if (kind === 'I') changes.push({ id, relation, before: undefined, after: text, depth })
    else changes.push({ id, relation, before: text, after: undefined, depth })
  }
  return changes
}

function orderVersions(changes: readonly CapturedChange[]): readonly CapturedChange[] {
  const producers = producersOf(changes)
  const isOrdered = new Uint8Array(changes.length)
  const ordered: CapturedChange[] = []
  for (let index = 0; index < changes.length; index++)
    for (const due of overdue(changes, producers, isOrdered, index)) {
      const change = changes[due]
      if (change === undefined) continue
      isOrdered[due] = 1
      ordered.push(change)
    }
  return ordered
}

type Producers = ReadonlyMap<string, number[]>

function versionOf(relation: number, text: string): string {
  return `${relation} ${text}`
}

/** Maps each version of a row to the changes that produced it. Updates that changed nothing are left out. */
function producersOf(changes: readonly CapturedChange[]): Producers {
  const producers = new Map<string, number[]>()
  for (const [index, { relation, before, after }] of changes.entries()) {
    if (after === undefined || after === before) continue
    const version = versionOf(relation, after)
    const known = producers.get(version)
    if (known === undefined) producers.set(version, [index])
    else known.push(index)
  }
  return producers
}

/** Returns the change at `index`, after all changes that led to its old row but were captured later. */
function overdue(
  changes: readonly CapturedChange[],
  producers: Producers,
  isOrdered: Uint8Array,
  index: number,
): readonly number[] {
  if (isOrdered[index] === 1) return []
  const due = [index]
  const seen = new Set(due)
  for (let earliest: number | undefined = index; earliest !== undefined; ) {
    const producer = producerOf(changes, earliest, producers, isOrdered)
    // The changes form a cycle, because the row returned to an earlier version. Changes in a cycle keep the order of capture.
    if (producer !== undefined && seen.has(producer)) return [index]
    if (producer !== undefined) {
      seen.add(producer)
      due.unshift(producer)
    }
    earliest = producer
  }
  return due
}

// Finds the change that produced the old row of the change at `index` but was captured later. Only a change of an outer statement
// can happen earlier and be captured later. Returns `undefined` when an already ordered change produced the old row.
function producerOf(
  changes: readonly CapturedChange[],
  index: number,
  producers: Producers,
  isOrdered: Uint8Array,
): number | undefined {
  const change = changes[index]
  if (change?.before === undefined) return undefined
  const candidates = producers.get(versionOf(change.relation, change.before)) ?? []
  if (candidates.some((candidate) => isOrdered[candidate] === 1)) return undefined
  return candidates.find((candidate) => (changes[candidate]?.depth ?? 0) < change.depth)
}

interface Stamp {
  readonly committedAt: EpochMillis
  readonly committedWallAt: EpochMillis
  /** The id of the request that made the changes. */
  readonly requestId: string | undefined
  /** The number of the last change before this job. The job's first change gets the next number. */
  readonly number: number
}

export interface DecodedChanges {
  readonly changes: readonly RowChange[]
  /** False when a change is missing, because its row has a layout that the table had only for a moment. */
  readonly isComplete: boolean
}

/**
 * Decodes the rows that one transaction captured. Leaves out rows of relations without a subscriber. A transaction that alters a
 * table captures rows in two layouts. The number of cells selects the layout; the newer layout wins when both fit.
 * @param layouts the newest first
 */
export function decodeChanges(
  captured: CapturedRows | undefined,
  layouts: readonly WatchedTables['layouts'][],
  stamp: Stamp,
): DecodedChanges {
  const changes: RowChange[] = []
  let isComplete = true
  for (const change of orderChanges(toRows(captured ?? []))) {
    const decoded = decodeChange(change, layouts, {
      ...stamp,
      number: stamp.number + changes.length + 1,
    })
    if (decoded !== undefined) changes.push(decoded)
    else if (layouts.some((known) => known.has(change.relation))) isComplete = false
  }
  return { changes, isComplete }
}

function toRows(rows: CapturedRows): readonly CapturedRow[] {
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
    wholeOldRow: () =>
      beforeCells === undefined ? undefined : new DecodedRow(layout, beforeCells, false),
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
