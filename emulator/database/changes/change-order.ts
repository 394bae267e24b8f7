// Sorts the captured rows of one job into the order in which the changes happened, and pairs old and new rows of updates. A
// statement trigger captures a nested statement before its outer statement. An update by a trigger of the same insert is
// therefore captured before the insert. Pure.

/** A row of the outbox (tenant-schema/change-capture.sql). */
export interface CapturedRow {
  readonly relation: number
  /** The kind of row: `I` was inserted, `D` deleted, `O` is the old and `N` the new row of an update. */
  readonly kind: string
  /** The trigger depth of the captured statement, from 1. */
  readonly depth: number
  readonly text: string
}

export interface CapturedChange {
  readonly relation: number
  readonly before: string | undefined
  readonly after: string | undefined
  readonly depth: number
}

/** Pairs and orders the rows that one job captured. @param rows in the order of their ids */
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
  for (const { relation, kind, depth, text } of rows) {
    if (kind === 'O') before.push(text)
    else if (kind === 'N') {
      changes.push({ relation, before: before[paired++], after: text, depth })
      if (paired < before.length) continue
      before.length = 0
      paired = 0
    } else if (kind === 'I') changes.push({ relation, before: undefined, after: text, depth })
    else changes.push({ relation, before: text, after: undefined, depth })
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

/** Appends the change at `index` after all changes that led to its old row but were captured later. */
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

// Finds the change that produced the old row of the change at `index` but was captured later. Only an outer statement can
// happen earlier and be captured later. Returns `undefined` when an already ordered change produced the old row.
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
