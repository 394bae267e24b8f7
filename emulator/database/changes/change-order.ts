// From the outbox's rows to changes: an update's rows are paired, and changes of one row are told in the order in which
// they happened. Statement triggers see nested statements end first: a row that a trigger updates while it is inserted
// is captured as updated before it is captured as inserted. Pure.

/** A row of the outbox (tenant-schema/change-capture.sql). */
export interface CapturedRow {
  readonly relation: number
  /** `I` inserted, `D` deleted, `O` before an update and `N` after it. */
  readonly kind: string
  /** How deep in triggers its statement ran, from 1. */
  readonly depth: number
  readonly text: string
}

export interface CapturedChange {
  readonly relation: number
  readonly before: string | undefined
  readonly after: string | undefined
  readonly depth: number
}

/** Pairs and orders what one piece of work captured; takes the rows in the order of their ids. */
export function orderChanges(rows: readonly CapturedRow[]): readonly CapturedChange[] {
  const changes = pairUpdates(rows)
  const isNested = changes.some(({ depth }) => depth !== changes[0]?.depth)
  return isNested ? orderVersions(changes) : changes
}

// Each statement leaves its rows before, then as many rows after, in the same order.
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
  const makers = makersOf(changes)
  const isTold = new Uint8Array(changes.length)
  const ordered: CapturedChange[] = []
  for (let index = 0; index < changes.length; index++)
    for (const due of overdue(changes, makers, isTold, index)) {
      const change = changes[due]
      if (change === undefined) continue
      isTold[due] = 1
      ordered.push(change)
    }
  return ordered
}

type Makers = ReadonlyMap<string, number[]>

function versionOf(relation: number, text: string): string {
  return `${relation} ${text}`
}

/** Which changes brought a version of a row about; of no-op updates none did. */
function makersOf(changes: readonly CapturedChange[]): Makers {
  const makers = new Map<string, number[]>()
  for (const [index, { relation, before, after }] of changes.entries()) {
    if (after === undefined || after === before) continue
    const version = versionOf(relation, after)
    const known = makers.get(version)
    if (known === undefined) makers.set(version, [index])
    else known.push(index)
  }
  return makers
}

/** The change at `index`, and before it those which made the row what it found but were captured later. */
function overdue(
  changes: readonly CapturedChange[],
  makers: Makers,
  isTold: Uint8Array,
  index: number,
): readonly number[] {
  if (isTold[index] === 1) return []
  const due = [index]
  const seen = new Set(due)
  for (let earliest: number | undefined = index; earliest !== undefined; ) {
    const maker = makerOf(changes, earliest, makers, isTold)
    // A row that came back to what it was: the order of capture says more.
    if (maker !== undefined && seen.has(maker)) return [index]
    if (maker !== undefined) {
      seen.add(maker)
      due.unshift(maker)
    }
    earliest = maker
  }
  return due
}

// Only what set a statement off can have come before it and be captured after it. One that was told already has made the
// version: then nothing is missing.
function makerOf(
  changes: readonly CapturedChange[],
  index: number,
  makers: Makers,
  isTold: Uint8Array,
): number | undefined {
  const change = changes[index]
  if (change?.before === undefined) return undefined
  const candidates = makers.get(versionOf(change.relation, change.before)) ?? []
  if (candidates.some((candidate) => isTold[candidate] === 1)) return undefined
  return candidates.find((candidate) => (changes[candidate]?.depth ?? 0) < change.depth)
}
