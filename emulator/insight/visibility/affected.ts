// Finds the relations whose visible rows can differ after a change, so that only these relations are read. Pure.
import type { Relation, SchemaState } from './relations.ts'

/** A relation before and after the scripts. One side is `undefined` when the scripts created or dropped it. */
export interface RelationPair {
  /** The name after the scripts, or the former name of a dropped relation. */
  readonly name: string
  readonly before: Relation | undefined
  readonly after: Relation | undefined
}

/** Pairs relations by their oid. Also pairs a dropped relation with a created relation of the same name. */
export function pairRelations(before: SchemaState, after: SchemaState): readonly RelationPair[] {
  const former = new Map(before.relations.map((relation) => [relation.oid, relation]))
  const kept = after.relations.map((relation) => {
    const same = former.get(relation.oid)
    former.delete(relation.oid)
    return { name: relation.name, before: same, after: relation }
  })
  const dropped = new Map([...former.values()].map((relation) => [relation.name, relation]))
  const paired = kept.map((pair) => {
    if (pair.before !== undefined) return pair
    const namesake = dropped.get(pair.name)
    dropped.delete(pair.name)
    return { ...pair, before: namesake }
  })
  const gone = [...dropped.values()].map((relation) => ({
    name: relation.name,
    before: relation,
    after: undefined,
  }))
  return [...paired, ...gone]
}

/**
 * Returns the pairs whose visible rows can differ. In each pair, the relation itself changed, or a relation that its policies or
 * its view read, directly or through other relations. A function of the project can read any relation. When a policy or view
 * calls such a function, any change counts.
 */
export function affectedPairs(before: SchemaState, after: SchemaState): readonly RelationPair[] {
  const pairs = pairRelations(before, after)
  const { areEnumsChanged, areRoutinesChanged, relations } = after
  if (areEnumsChanged) return pairs
  const known = new Map(relations.map((relation) => [relation.oid, relation]))
  const hasChange =
    areRoutinesChanged || pairs.some((pair) => pair.before === undefined || isTouched(pair.after))
  const isAffected = (oid: number, seen: Set<number>): boolean => {
    const relation = known.get(oid)
    if (relation === undefined || seen.has(oid)) return false
    seen.add(oid)
    if (isTouched(relation) || (relation.callsFunctions && hasChange)) return true
    return relation.readsFrom.some((next) => isAffected(next, seen))
  }
  return pairs.filter(
    ({ after: now, before: then }) =>
      now === undefined || then === undefined || isAffected(now.oid, new Set()),
  )
}

function isTouched(relation: Relation | undefined): boolean {
  return relation === undefined || relation.isChanged || relation.rowsChanged > 0
}

/**
 * Returns the state after the scripts, with facts that only a comparison with the former state shows. These are dropped parts and
 * functions, and the number of rows that the scripts changed. Postgres's counters also contain rows of earlier transactions,
 * until Postgres writes its statistics.
 */
export function sinceBefore(before: SchemaState, after: SchemaState): SchemaState {
  const former = new Map(before.relations.map((relation) => [relation.oid, relation]))
  const relations = after.relations.map((relation) => {
    const known = former.get(relation.oid)
    return {
      ...relation,
      isChanged: relation.isChanged || known?.parts !== relation.parts,
      // TRUNCATE resets the counters, so the difference can be negative.
      rowsChanged: Math.max(0, relation.rowsChanged - (known?.rowsChanged ?? 0)),
    }
  })
  const areRoutinesChanged = after.areRoutinesChanged || before.routines !== after.routines
  return { ...after, relations, areRoutinesChanged }
}

/**
 * Returns the number of rows that the scripts inserted, updated and deleted in all tables. @param state as `sinceBefore` returns
 * it
 */
export function rowsChanged({ relations }: SchemaState): number {
  return relations.reduce((sum, relation) => sum + relation.rowsChanged, 0)
}
