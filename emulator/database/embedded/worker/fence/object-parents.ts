// Finds the parent of a catalogue's object (its schema, relation or role) by catalogue and oid, with PostgreSQL's own look-up.
// Called by object-owners.ts.
import type { Backend } from '../backend/backend.ts'

/** The oids of the catalogues (pg_class.dat and pg_*.h) are the same in every cluster. */
export const Catalogue = {
  type: 1247,
  routine: 1255,
  relation: 1259,
  role: 1260,
  membership: 1261,
  accessMethodOperator: 2602,
  accessMethodRoutine: 2603,
  columnDefault: 2604,
  cast: 2605,
  constraint: 2606,
  conversion: 2607,
  namespace: 2615,
  operatorClass: 2616,
  operator: 2617,
  rule: 2618,
  trigger: 2620,
  operatorFamily: 2753,
  policy: 3256,
  extendedStatistics: 3381,
  collation: 3456,
  searchDictionary: 3600,
  searchParser: 3601,
  searchConfiguration: 3602,
  searchTemplate: 3764,
  defaultPrivileges: 826,
} as const

export type CatalogueOid = (typeof Catalogue)[keyof typeof Catalogue]

/** The schema, relation, role or other object that an object belongs to. */
export interface ParentObject {
  readonly catalogue: CatalogueOid
  readonly object: number
}

interface ParentColumn {
  /** The oid of the index on the catalogue's column `oid`. */
  readonly index: number
  /** The bytes from the row's start to the column with the parent's oid. */
  readonly at: number
  /** The parent's catalogue. */
  readonly catalogue: CatalogueOid
}

// Each row starts with its oid (4 bytes); a name takes 64 bytes.
const AFTER_OID = 4
const AFTER_OID_AND_NAME = 68
const AFTER_TWO_OIDS_AND_NAME = 72

const inSchema = (index: number, at = AFTER_OID_AND_NAME): ParentColumn => ({
  index,
  at,
  catalogue: Catalogue.namespace,
})
const ofRelation = (index: number, at: number): ParentColumn => ({
  index,
  at,
  catalogue: Catalogue.relation,
})

const PARENT_COLUMNS: ReadonlyMap<number, ParentColumn> = new Map<number, ParentColumn>([
  [Catalogue.type, inSchema(2703)],
  [Catalogue.constraint, inSchema(2667)],
  [Catalogue.conversion, inSchema(2670)],
  [Catalogue.operator, inSchema(2688)],
  [Catalogue.collation, inSchema(3085)],
  [Catalogue.searchDictionary, inSchema(3605)],
  [Catalogue.searchParser, inSchema(3607)],
  [Catalogue.searchConfiguration, inSchema(3712)],
  [Catalogue.searchTemplate, inSchema(3767)],
  [Catalogue.operatorClass, inSchema(2687, AFTER_TWO_OIDS_AND_NAME)],
  [Catalogue.operatorFamily, inSchema(2755, AFTER_TWO_OIDS_AND_NAME)],
  [Catalogue.extendedStatistics, inSchema(3380, AFTER_TWO_OIDS_AND_NAME)],
  [Catalogue.defaultPrivileges, inSchema(828, 8)],
  [Catalogue.columnDefault, ofRelation(2657, AFTER_OID)],
  [Catalogue.trigger, ofRelation(2702, AFTER_OID)],
  [Catalogue.rule, ofRelation(2692, AFTER_OID_AND_NAME)],
  [Catalogue.policy, ofRelation(3257, AFTER_OID_AND_NAME)],
  [Catalogue.membership, { index: 6303, at: 8, catalogue: Catalogue.role }],
  [Catalogue.cast, { index: 2660, at: AFTER_OID, catalogue: Catalogue.type }],
  [
    Catalogue.accessMethodOperator,
    { index: 2756, at: AFTER_OID, catalogue: Catalogue.operatorFamily },
  ],
  [
    Catalogue.accessMethodRoutine,
    { index: 2757, at: AFTER_OID, catalogue: Catalogue.operatorFamily },
  ],
])

const ACCESS_SHARE_LOCK = 1 // lockdefs.h
const EQUAL_STRATEGY = 3 // stratnum.h, BTEqualStrategyNumber
const OID_EQUAL = 184 // pg_proc.dat, oideq
const SCAN_KEY_BYTES = 128
// The C structs are HeapTupleData {t_len, t_self, t_tableOid, *t_data} and HeapTupleHeaderData {…, t_hoff} (htup.h,
// htup_details.h).
const TUPLE_DATA_OFFSET = 16
const HEADER_LENGTH_OFFSET = 22

export class ObjectParents {
  readonly #backend: Backend
  #scanKey = 0

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Returns `undefined` for an object that has no parent or does not exist. This call needs an open transaction. */
  parentOf(catalogue: number, object: number): ParentObject | undefined {
    const { module } = this.#backend
    if (catalogue === Catalogue.relation) return schema(module._get_rel_namespace(object))
    if (catalogue === Catalogue.routine) return schema(module._get_func_namespace(object))
    const column = PARENT_COLUMNS.get(catalogue)
    if (column === undefined) return undefined
    const parent = this.#readColumn(catalogue, column, object)
    return parent === 0 ? undefined : { catalogue: column.catalogue, object: parent }
  }

  // An error inside leaves this frame as PGlite's long jump; PostgreSQL then closes the scan.
  #readColumn(catalogue: number, { index, at }: ParentColumn, object: number): number {
    const backend = this.#backend
    const { module } = backend
    this.#scanKey ||= module._malloc(SCAN_KEY_BYTES)
    const relation = module._table_open(catalogue, ACCESS_SHARE_LOCK)
    module._ScanKeyInit(this.#scanKey, 1, EQUAL_STRATEGY, OID_EQUAL, object)
    const scan = module._systable_beginscan(relation, index, 1, 0, 1, this.#scanKey)
    const tuple = module._systable_getnext(scan)
    const found = tuple === 0 ? 0 : this.#readField(tuple, at)
    module._systable_endscan(scan)
    module._table_close(relation, ACCESS_SHARE_LOCK)
    return found
  }

  #readField(tuple: number, at: number): number {
    const backend = this.#backend
    const header = backend.readWord(tuple + TUPLE_DATA_OFFSET)
    const length = backend.module.HEAPU8[header + HEADER_LENGTH_OFFSET] ?? 0
    return backend.readWord(header + length + at)
  }
}

function schema(namespace: number): ParentObject | undefined {
  return namespace === 0 ? undefined : { catalogue: Catalogue.namespace, object: namespace }
}
