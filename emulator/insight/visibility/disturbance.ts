// Finds out whether another request changed the schema during a rehearsal. A rehearsal reads the state before and after the
// scripts in separate jobs, so that other requests wait for short jobs only. Pure.
import type { Relation, SchemaState } from './relations.ts'

/** The counters of `countsQuery` by oid. */
export type Counts = ReadonlyMap<number, Pick<Relation, 'rowsChanged' | 'parts'>>

export interface BothSides<Side> {
  readonly before: Side
  readonly after: Side
}

/** Returns the state with the counters of another job. A relation that is not in that job's counters keeps its own counters. */
export function withCounts(state: SchemaState, counts: Counts): SchemaState {
  const relations = state.relations.map((relation) => ({
    ...relation,
    ...counts.get(relation.oid),
  }))
  return { ...state, relations }
}

/**
 * Returns whether another request created or dropped a relation between the jobs.
 * @param states the two states, each read in a job of its own
 * @param counts both counters, from an earlier job that ran the same scripts
 */
export function isDisturbed(states: BothSides<SchemaState>, counts: BothSides<Counts>): boolean {
  const { after, before } = states
  const former = new Set(before.relations.map(({ oid }) => oid))
  const latter = new Set(after.relations.map(({ oid }) => oid))
  const isSame =
    former.size === counts.before.size && [...former].every((oid) => counts.before.has(oid))
  const isGone = [...former].some((oid) => counts.after.has(oid) && !latter.has(oid))
  return !isSame || after.unknown.length > 0 || isGone
}
