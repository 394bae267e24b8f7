// Built-in functions that take a relation by oid and ask no hook: sequences' counters and relations' sizes.
import type { Fence } from './fence.ts'
import type { RoutineTable } from './routine-table.ts'

// pg_proc.dat, PostgreSQL 18: fixed by hand, the same in every cluster of a major version.
const RELATION_ROUTINES = {
  nextval: 1574,
  currval: 1575,
  setval: 1576,
  setvalWithFlag: 1765,
  pg_sequence_parameters: 3078,
  pg_sequence_last_value: 4032,
  pg_get_sequence_data: 6427,
  pg_relation_size: 2332,
  pg_table_size: 2997,
  pg_indexes_size: 2998,
  pg_total_relation_size: 2286,
} as const

/** Puts the fence before each of them. @throws {BackendDied} when one is missing */
export function fenceRelationRoutines(routines: RoutineTable, fence: Fence): void {
  for (const oid of Object.values(RELATION_ROUTINES))
    routines.before(oid, (relation) => fence.checkRelation(relation))
}
