// Fences built-in functions that take an object's oid without a hook and would reveal its name, definition or data. For an
// object of another tenant, most of these functions get an unused oid and answer as for a dropped object. The remaining
// functions are refused.
import type { Backend } from '../backend/backend.ts'
import { argumentAt, argumentOf, type RoutineTable } from '../backend/routine-table.ts'
import { type Fence, raise } from './fence.ts'
import { Catalogue, type CatalogueOid } from './object-parents.ts'

// Oids of pg_proc.dat, PostgreSQL 18: the same in every cluster of a major version.

/** The functions that take an oid, by the oid's catalogue and the argument's index. */
const BY_OID: readonly (readonly [CatalogueOid, place: number, routines: readonly number[]])[] = [
  // pg_get_viewdef, pg_get_indexdef, pg_get_partkeydef, pg_get_partition_constraintdef
  [Catalogue.relation, 0, [1641, 2506, 3159, 1643, 2507, 3352, 3408]],
  // pg_get_expr
  [Catalogue.relation, 1, [1716, 2509]],
  // has_table_privilege, has_any_column_privilege, has_column_privilege, has_sequence_privilege
  [Catalogue.relation, 0, [1927, 3029, 3022, 3023, 2186]],
  [Catalogue.relation, 1, [1923, 1925, 3025, 3027, 3014, 3015, 3018, 3019, 2182, 2184]],
  // satisfies_hash_partition
  [Catalogue.relation, 0, [5028]],
  // pg_stat_get_*: counters of a table, an index or a sequence
  [
    Catalogue.relation,
    0,
    [
      1928, 1929, 1930, 1931, 1932, 1933, 1934, 1935, 1972, 2781, 2782, 2783, 2784, 2878, 2879,
      3037, 3038, 3039, 3040, 3041, 3042, 3043, 3054, 3055, 3056, 3057, 3177, 5053, 6217, 6218,
      6310, 6358, 6359, 6360, 6361,
    ],
  ],
  // pg_get_functiondef, pg_get_function_arguments, _identity_arguments, _result, _sqlbody, _arg_default
  [Catalogue.routine, 0, [2098, 2162, 2232, 2165, 6197, 3808]],
  // has_function_privilege
  [Catalogue.routine, 0, [2261]],
  [Catalogue.routine, 1, [2257, 2259]],
  // pg_stat_get_function_*, pg_stat_get_xact_function_*
  [Catalogue.routine, 0, [2978, 2979, 2980, 3046, 3047, 3048]],
  // format_type, has_type_privilege
  [Catalogue.type, 0, [1081, 3143]],
  [Catalogue.type, 1, [3139, 3141]],
  // The errors of domain_in and record_in name the type.
  [Catalogue.type, 1, [2597, 2290]],
  // has_schema_privilege
  [Catalogue.namespace, 0, [2273]],
  [Catalogue.namespace, 1, [2269, 2271]],
  // pg_get_userbyid, makeaclitem, acldefault
  [Catalogue.role, 0, [1642, 1365]],
  [Catalogue.role, 1, [1365, 3943]],
  // pg_get_constraintdef, pg_get_triggerdef, pg_get_ruledef, pg_get_statisticsobjdef*
  [Catalogue.constraint, 0, [1387, 2508]],
  [Catalogue.trigger, 0, [1662, 2730]],
  [Catalogue.rule, 0, [1573, 2504]],
  [Catalogue.extendedStatistics, 0, [3415, 6173, 6174]],
]

/**
 * These functions take catalogue and oid: pg_describe_object, pg_identify_object, pg_identify_object_as_address, pg_get_acl.
 */
const BY_ADDRESS = [3537, 3839, 3382, 6385]

/** These functions print an oid as the object's name: reg*out. */
const OUTPUTS: readonly (readonly [CatalogueOid, routine: number])[] = [
  [Catalogue.relation, 2219],
  [Catalogue.routine, 45],
  [Catalogue.routine, 2213],
  [Catalogue.operator, 2215],
  [Catalogue.operator, 2217],
  [Catalogue.type, 2221],
  [Catalogue.namespace, 4085],
  [Catalogue.role, 4092],
  [Catalogue.collation, 4194],
  [Catalogue.searchConfiguration, 3737],
  [Catalogue.searchDictionary, 3772],
]
const OID_OUTPUT = 1799

/** Functions that are refused, because their errors name the object or their results show the object's content. */
const REFUSED: readonly (readonly [CatalogueOid, routines: readonly number[]])[] = [
  // table_to_xml, table_to_xml_and_xmlschema, table_to_xmlschema
  [Catalogue.relation, [2923, 2929, 2926]],
  // pg_get_replica_identity_index
  [Catalogue.relation, [6120]],
  // brin_summarize_new_values, brin_summarize_range, brin_desummarize_range, gin_clean_pending_list
  [Catalogue.relation, [3952, 3999, 4014, 3789]],
  // to_tsvector, json(b)_to_tsvector, *to_tsquery, ts_headline
  [
    Catalogue.searchConfiguration,
    [3745, 4211, 4212, 4214, 4216, 3746, 3747, 5006, 5007, 3743, 3744, 4201, 4202, 4205, 4206],
  ],
  // ts_lexize
  [Catalogue.searchDictionary, [3723]],
]

/** These functions take a relation: sequences' values and relations' sizes. */
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

/**
 * The function oidvectortypes takes a vector of types: oidvector {length, ndim, dataoffset, elemtype, dim1, lbound1, values[]}
 * (c.h).
 */
const TYPE_VECTOR_OUTPUT = 1349
const VECTOR_LENGTH_OFFSET = 16
const VECTOR_VALUES_OFFSET = 24

// None of these catalogues has a row with this oid.
const MISSING_OID = 1

/** Runs the fence's check before each of these functions. @throws {BackendDied} when one is missing */
export function fenceObjectRoutines(backend: Backend, routines: RoutineTable, fence: Fence): void {
  const forget = (call: number, place: number): void =>
    backend.writeWord(argumentAt(call, place), MISSING_OID)
  for (const [catalogue, place, oids] of BY_OID)
    for (const oid of oids)
      routines.replace(oid, (original) => (call) => {
        if (fence.isOfAnother(catalogue, argumentOf(backend, call, place))) forget(call, place)
        return original(call)
      })
  for (const oid of BY_ADDRESS)
    routines.replace(oid, (original) => (call) => {
      const catalogue = argumentOf(backend, call, 0)
      if (fence.isOfAnother(catalogue, argumentOf(backend, call, 1))) forget(call, 1)
      return original(call)
    })
  for (const oid of Object.values(RELATION_ROUTINES))
    routines.before(oid, (relation) => fence.checkRelation(relation))
  const asNumber = routines.find(OID_OUTPUT)
  for (const [catalogue, oid] of OUTPUTS)
    routines.replace(oid, (original) => (call) => {
      const isForeign = fence.isOfAnother(catalogue, argumentOf(backend, call, 0))
      return isForeign ? asNumber(call) : original(call)
    })
  for (const [catalogue, oids] of REFUSED)
    for (const oid of oids)
      routines.before(oid, (object) => {
        if (fence.isOfAnother(catalogue, object)) refuse(backend)
      })
  routines.before(TYPE_VECTOR_OUTPUT, (vector) => {
    const length = backend.readWord(vector + VECTOR_LENGTH_OFFSET)
    for (let index = 0; index < length; index++) {
      const type = backend.readWord(vector + VECTOR_VALUES_OFFSET + 4 * index)
      if (fence.isOfAnother(Catalogue.type, type)) refuse(backend)
    }
  })
}

function refuse(backend: Backend): void {
  raise(backend, '42501', 'permission denied for object of another project')
}
