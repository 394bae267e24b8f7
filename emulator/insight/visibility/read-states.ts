// Reads the relations of a schema before and after the scripts of a rehearsal.
import type { SchemaName } from '../../core/names.ts'
import type { RehearsalResult } from '../../database/rehearsal.ts'
import { sinceBefore } from './affected.ts'
import { type BothSides, isDisturbed, withCounts } from './disturbance.ts'
import { countsOf, ownerQuestion, type RehearseScripts, stateOf } from './rehearse-scripts.ts'
import { type SchemaState, stateQuery } from './relations.ts'

/**
 * Reads each of the two states in a job of its own, so that other requests wait less. Takes the counters from `tried`, because
 * Postgres also counts rows of earlier transactions. When another request changed the schema meanwhile, one job reads both
 * states.
 * @param rehearse runs the scripts
 * @param nothing runs no script
 * @param tried an earlier result of the same scripts that asked `countsQuery` before and after them
 * @throws {SqlError} as `RehearseScripts`
 */
export async function readStates(
  { nothing, rehearse }: Readonly<Record<'nothing' | 'rehearse', RehearseScripts>>,
  schemaName: SchemaName,
  tried: RehearsalResult,
): Promise<BothSides<SchemaState>> {
  const all = ownerQuestion(schemaName, stateQuery(schemaName, 'all'))
  const changed = ownerQuestion(schemaName, stateQuery(schemaName, 'changed'))
  const counts = { before: countsOf(tried.before), after: countsOf(tried.after) }
  const now = await nothing({ before: [all], after: [] })
  const later = await rehearse({ before: [], after: [changed] })
  const former = stateOf(now.before)
  const states = { before: former, after: stateOf(later.after, former) }
  if (!isDisturbed(states, counts)) {
    const before = withCounts(former, counts.before)
    return { before, after: sinceBefore(before, withCounts(states.after, counts.after)) }
  }
  const both = await rehearse({ before: [all], after: [all] })
  const before = stateOf(both.before)
  return { before, after: sinceBefore(before, stateOf(both.after)) }
}
