// Hides the rows of system catalogues that belong to another tenant. PostgreSQL allows no row-level security on its catalogues.
// Its planner calls a hook for each table that a query reads, also through a view, function or cursor. In this hook we add the
// condition of a policy (`securityQuals`), which runs before any expression of the tenant. PostgreSQL's own look-ups bypass the
// planner and still find everything.
import { cellText } from '../../../engine.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { type Backend, BackendDied } from '../backend/backend.ts'
import { argumentOf, type RoutineTable } from '../backend/routine-table.ts'
import { singleStatement } from '../session/session.ts'
import type { Fence } from './fence.ts'
import { Catalogue, type CatalogueOid } from './object-parents.ts'

// The condition is `pg_backend_pid(catalogue, oid, …) <> 1`. SQL itself can never call this function with arguments, because it
// has no parameters. The planner assumes that nearly all rows satisfy such a comparison. With a boolean function, the planner
// would expect a third of the rows and join catalogues slowly.
const HOST_ROUTINE = 2026
const HIDDEN = 1
const INTEGER_TYPE = 23
const NOT_EQUAL_OPERATOR = 518
const NOT_EQUAL_ROUTINE = 144
const BOOLEAN_TYPE = 16
const OID_TYPE = 26
// fmgr.h, FunctionCallInfoBaseData.nargs
const ARGUMENT_COUNT_OFFSET = 18
// Offsets in the C structs PlannerInfo, RelOptInfo (pathnodes.h) and RangeTblEntry (parsenodes.h) of PostgreSQL 18 on wasm32.
const RANGE_TABLE_OFFSET = 36
const SECURITY_LEVEL_OFFSET = 312
const RELATION_INDEX_OFFSET = 68
const SECURITY_QUALS_OFFSET = 128
const LIST_LENGTH_OFFSET = 4

// The columns that identify the owner of a row, for each catalogue. The catalogue filter hides a row when one of these columns
// leads to another tenant. Catalogues are left out when they contain no tenant's rows or when no tenant may read them.

/** A column with an oid, and the catalogue of that oid: fixed, or named by another column. */
type OwnedColumn = readonly [column: string, refersTo: CatalogueOid | string]

const { namespace, relation, role, routine, type } = Catalogue

const CATALOGUE_COLUMNS: Readonly<Record<string, readonly OwnedColumn[]>> = {
  pg_aggregate: [['aggfnoid', routine]],
  pg_amop: [['amopfamily', Catalogue.operatorFamily]],
  pg_amproc: [['amprocfamily', Catalogue.operatorFamily]],
  pg_attrdef: [['adrelid', relation]],
  pg_attribute: [['attrelid', relation]],
  pg_auth_members: [
    ['roleid', role],
    ['member', role],
  ],
  pg_authid: [['oid', role]],
  pg_cast: [
    ['castsource', type],
    ['casttarget', type],
  ],
  // TOAST tables share one schema, so the filter needs their owner column.
  pg_class: [
    ['relnamespace', namespace],
    ['relowner', role],
  ],
  pg_collation: [['collnamespace', namespace]],
  pg_constraint: [['connamespace', namespace]],
  pg_conversion: [['connamespace', namespace]],
  pg_db_role_setting: [['setrole', role]],
  pg_default_acl: [
    ['defaclnamespace', namespace],
    ['defaclrole', role],
  ],
  pg_depend: [
    ['objid', 'classid'],
    ['refobjid', 'refclassid'],
  ],
  pg_description: [['objoid', 'classoid']],
  pg_enum: [['enumtypid', type]],
  pg_event_trigger: [['evtfoid', routine]],
  pg_foreign_table: [['ftrelid', relation]],
  pg_index: [['indrelid', relation]],
  pg_inherits: [['inhrelid', relation]],
  pg_init_privs: [['objoid', 'classoid']],
  pg_largeobject_metadata: [['lomowner', role]],
  pg_namespace: [['oid', namespace]],
  pg_opclass: [['opcnamespace', namespace]],
  pg_operator: [['oprnamespace', namespace]],
  pg_opfamily: [['opfnamespace', namespace]],
  pg_partitioned_table: [['partrelid', relation]],
  pg_policy: [['polrelid', relation]],
  pg_proc: [['pronamespace', namespace]],
  pg_publication_namespace: [['pnnspid', namespace]],
  pg_publication_rel: [['prrelid', relation]],
  pg_range: [['rngtypid', type]],
  pg_rewrite: [['ev_class', relation]],
  pg_seclabel: [['objoid', 'classoid']],
  pg_sequence: [['seqrelid', relation]],
  pg_shdepend: [
    ['objid', 'classid'],
    ['refobjid', 'refclassid'],
  ],
  pg_shdescription: [['objoid', 'classoid']],
  pg_shseclabel: [['objoid', 'classoid']],
  pg_statistic: [['starelid', relation]],
  pg_statistic_ext: [['stxnamespace', namespace]],
  pg_statistic_ext_data: [['stxoid', Catalogue.extendedStatistics]],
  pg_subscription_rel: [['srrelid', relation]],
  pg_transform: [['trftype', type]],
  pg_trigger: [['tgrelid', relation]],
  pg_ts_config: [['cfgnamespace', namespace]],
  pg_ts_config_map: [['mapcfg', Catalogue.searchConfiguration]],
  pg_ts_dict: [['dictnamespace', namespace]],
  pg_ts_parser: [['prsnamespace', namespace]],
  pg_ts_template: [['tmplnamespace', namespace]],
  pg_type: [['typnamespace', namespace]],
}

const NAMES = Object.keys(CATALOGUE_COLUMNS)
const COLUMNS = Object.values(CATALOGUE_COLUMNS).flatMap((owned) => owned.flat())
const READ_COLUMNS =
  singleStatement(`select relation.oid, relation.relname, attribute.attname, attribute.attnum, attribute.atttypid
     from pg_catalog.pg_class as relation
     join pg_catalog.pg_attribute as attribute on attribute.attrelid operator(pg_catalog.=) relation.oid
     where relation.relnamespace operator(pg_catalog.=) 'pg_catalog'::regnamespace
       and relation.relname operator(pg_catalog.=) any (${nameArray(NAMES)})
       and attribute.attname operator(pg_catalog.=) any (${nameArray(COLUMNS)})`)

function nameArray(names: readonly (string | number)[]): string {
  const literals = names.filter((name) => typeof name === 'string').map((name) => `'${name}'`)
  return `array[${literals.join(', ')}]::pg_catalog.name[]`
}

interface Column {
  readonly number: number
  readonly type: number
}

/** Installs the filter; `fence` decides for each row. @throws {BackendDied} when a catalogue is not as expected */
export function filterCatalogues(backend: Backend, routines: RoutineTable, fence: Fence): void {
  const conditions = readConditions(backend)
  routines.replace(HOST_ROUTINE, (original) => (call) => {
    const count = backend.memory.getInt16(call + ARGUMENT_COUNT_OFFSET, true)
    if (count === 0) return original(call)
    for (let pair = 0; pair < count; pair += 2)
      if (fence.hides(argumentOf(backend, call, pair), argumentOf(backend, call, pair + 1)))
        return HIDDEN
    return 0
  })
  const { module } = backend
  // The hook's C signature: void (PlannerInfo *root, Oid relationObjectId, bool inhparent, RelOptInfo *rel).
  const hook = module.addFunction((root = 0, relation = 0, _parent = 0, planned = 0) => {
    if (!fence.isFencing) return
    const condition = conditions.get(relation)
    if (condition !== undefined) addCondition(backend, root, planned, condition)
  }, 'viiii')
  if (backend.readWord(module._get_relation_info_hook) !== 0)
    throw new BackendDied('the hook for planned tables is taken')
  backend.writeWord(module._get_relation_info_hook, hook)
}

// The planner reads `securityQuals` after this hook and compares their levels with the root's.
function addCondition(
  backend: Backend,
  root: number,
  planned: number,
  condition: (index: number) => string,
): void {
  const index = backend.readWord(planned + RELATION_INDEX_OFFSET)
  const entry = backend.readWord(backend.readWord(root + RANGE_TABLE_OFFSET) + 4 * index)
  const present = backend.readWord(entry + SECURITY_QUALS_OFFSET)
  // For min() and max(), the planner uses a copy of the entry that has the condition already.
  if (present !== 0) return
  const conditions = backend.withText(condition(index), (text) =>
    backend.module._stringToNode(text),
  )
  backend.writeWord(entry + SECURITY_QUALS_OFFSET, conditions)
  const levels = backend.readWord(conditions + LIST_LENGTH_OFFSET)
  if (backend.readWord(root + SECURITY_LEVEL_OFFSET) < levels)
    backend.writeWord(root + SECURITY_LEVEL_OFFSET, levels)
}

/** Returns a function for each catalogue's oid that renders the catalogue's condition for an index in the range table. */
function readConditions(backend: Backend): ReadonlyMap<number, (index: number) => string> {
  const reply = parseBackendMessages(backend.exchange(READ_COLUMNS))
  if (reply.error !== undefined)
    throw new BackendDied(`the catalogues cannot be read: ${reply.error.message}`)
  const catalogues = new Map<string, { oid: number; columns: Map<string, Column> }>()
  for (const row of reply.results[0]?.rows ?? []) {
    const [oid, name = '', column = '', number, type] = row.map((cell) => cellText(cell))
    const catalogue = catalogues.get(name) ?? { oid: Number(oid), columns: new Map() }
    catalogue.columns.set(column, { number: Number(number), type: Number(type) })
    catalogues.set(name, catalogue)
  }
  return new Map(
    Object.entries(CATALOGUE_COLUMNS).map(([name, owned]) => {
      const catalogue = catalogues.get(name)
      if (catalogue === undefined) throw new BackendDied(`the engine has no catalogue ${name}`)
      return [catalogue.oid, conditionOf(name, owned, catalogue.columns)]
    }),
  )
}

function conditionOf(
  catalogue: string,
  owned: readonly OwnedColumn[],
  columns: ReadonlyMap<string, Column>,
): (index: number) => string {
  const find = (name: string): Column => {
    const column = columns.get(name)
    if (column === undefined) throw new BackendDied(`${catalogue} has no column ${name}`)
    return column
  }
  const pairs = owned.map(([column, refersTo]) => ({
    object: find(column),
    refersTo: typeof refersTo === 'string' ? find(refersTo) : refersTo,
  }))
  return (index) => {
    const args = pairs.flatMap(({ object, refersTo }) => [
      typeof refersTo === 'number' ? constantNode(OID_TYPE, refersTo) : columnNode(index, refersTo),
      columnNode(index, object),
    ])
    return `((${isShownNode(args)}))`
  }
}

// Renders nodes in PostgreSQL's text format (outfuncs.c). The list inside holds conditions joined by AND.
function isShownNode(args: readonly string[]): string {
  const call = `{FUNCEXPR :funcid ${HOST_ROUTINE} :funcresulttype ${INTEGER_TYPE} :funcretset false :funcvariadic false :funcformat 0 :funccollid 0 :inputcollid 0 :args (${args.join(' ')}) :location -1}`
  return `{OPEXPR :opno ${NOT_EQUAL_OPERATOR} :opfuncid ${NOT_EQUAL_ROUTINE} :opresulttype ${BOOLEAN_TYPE} :opretset false :opcollid 0 :inputcollid 0 :args (${call} ${constantNode(INTEGER_TYPE, HIDDEN)}) :location -1}`
}

function columnNode(index: number, { number, type }: Column): string {
  return `{VAR :varno ${index} :varattno ${number} :vartype ${type} :vartypmod -1 :varcollid 0 :varnullingrels (b) :varlevelsup 0 :varreturningtype 0 :varnosyn ${index} :varattnosyn ${number} :location -1}`
}

function constantNode(type: number, value: number): string {
  const bytes = [value & 0xff, value >> 8, 0, 0]
  return `{CONST :consttype ${type} :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false :location -1 :constvalue 4 [ ${bytes.join(' ')} ]}`
}
