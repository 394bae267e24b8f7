// The fence between tenants: two hooks of PostgreSQL call JavaScript functions that refuse access to another tenant's objects,
// whatever that tenant has granted. A schema named `proj_*` belongs to its tenant. Any other schema belongs to the platform and
// has ordinary privileges.
import { BEYOND_RELATION } from '../../../engine.ts'
import { type Backend, BackendDied } from '../backend/backend.ts'
import { FIRST_NORMAL_OID, type ObjectOwner, ObjectOwners } from './object-owners.ts'
import { Catalogue } from './object-parents.ts'

/** The owner of the running work: a tenant's schema name, platform work, or `undefined` when nothing is checked. */
export type Side = string | typeof PLATFORM_WORK | undefined

/** Limits the statements of one role to one relation. A security-definer function runs as its owner and is not limited. */
export interface Confinement {
  /** The oid of the only user relation that may be read. */
  readonly relation: number
  /** The oid of the limited role. */
  readonly role: number
}

/** Platform work may name every schema, but must not run a tenant's function or read a tenant's rows. */
export const PLATFORM_WORK: unique symbol = Symbol('platform work')

const WARNING = 19 // elog.h
const ERROR = 21
const NAMESPACE_SEARCH = 3 // objectaccess.h, OAT_NAMESPACE_SEARCH
const FUNCTION_EXECUTE = 4 // objectaccess.h, OAT_FUNCTION_EXECUTE

export class Fence {
  readonly #backend: Backend
  readonly #owners: ObjectOwners
  readonly #stickyRoutines = new Set<number>()
  /** The owner of the running work. */
  side: Side
  /** Present while the work may touch only one relation (docs/wire/realtime.md#changes). */
  confinement: Confinement | undefined
  /** The oid of the outbox; 0 while the table does not exist. */
  outbox = 0
  /** True when a statement wrote to the outbox. A rollback does not reset this flag. */
  wroteOutbox = false
  /** True when COPY reads the next table directly. Such a COPY uses no planner, so the catalogue filter adds no condition. */
  isCopyingTable = false
  /** The fence calls this hook before each function that SQL calls. Only the self-test sets the hook. */
  onRoutine: (() => void) | undefined
  /** True when a function that changes the session ran. */
  touchedSession = false

  private constructor(backend: Backend) {
    this.#backend = backend
    this.#owners = new ObjectOwners(backend)
  }

  static install(backend: Backend): Fence {
    const fence = new Fence(backend)
    const { module } = backend
    // The hook's C signature: void (ObjectAccessType access, Oid classId, Oid objectId, int subId, void *arg).
    const access = module.addFunction((kind = 0, _class = 0, object = 0, _sub = 0, arg = 0) => {
      if (fence.side === undefined) return
      if (kind === NAMESPACE_SEARCH) fence.#onNameSearch(object, arg)
      else if (kind === FUNCTION_EXECUTE) fence.#onExecute(object)
    }, 'viiiii')
    // The hook's C signature: bool (List *rangeTable, List *rteperminfos, bool ereport_on_violation).
    const permissions = module.addFunction((_tables = 0, infos = 0, raise = 0) => {
      if (fence.side === undefined || infos === 0) return 1
      return fence.#mayTouchAll(infos, raise !== 0) ? 1 : 0
    }, 'iiii')
    if (backend.readWord(module._object_access_hook) !== 0)
      throw new BackendDied('the object access hook is taken')
    backend.writeWord(module._object_access_hook, access)
    backend.writeWord(module._ExecutorCheckPerms_hook, permissions)
    return fence
  }

  /** Replaces the map from a schema's oid to its owner. */
  setOwners(owners: ReadonlyMap<number, ObjectOwner>): void {
    this.#owners.setSchemas(owners)
  }

  /** Whether the running work belongs to a tenant. */
  get isFencing(): boolean {
    return typeof this.side === 'string'
  }

  /** Whether a catalogue must hide this object from the tenant whose work runs. */
  hides(catalogue: number, object: number): boolean {
    if (!this.isFencing) return false
    const owner = this.#owners.of(catalogue, object)
    return owner !== undefined && owner !== this.side
  }

  /** Whether this object belongs to another tenant than the one whose work runs. */
  isOfAnother(catalogue: number, object: number): boolean {
    if (!this.isFencing) return false
    const owner = this.#owners.of(catalogue, object)
    return typeof owner === 'string' && owner !== this.side
  }

  /** Oids of functions that change the session (`platform.session_routines`). */
  setStickyRoutines(oids: readonly number[]): void {
    for (const oid of oids) this.#stickyRoutines.add(oid)
  }

  /** Raises 42501 inside the engine; the error leaves this JavaScript frame as PGlite's long jump. */
  deny(message: string, routine?: string): void {
    raise(this.#backend, '42501', message, undefined, routine)
  }

  /** Refuses a relation of another tenant. Platform work may name every schema. */
  checkRelation(relation: number): void {
    if (this.isOfAnother(Catalogue.relation, relation))
      this.deny('permission denied for relation of another project')
  }

  #isForeign(namespace: number): boolean {
    const owner = this.#owners.ofSchema(namespace)
    return typeof owner === 'string' && owner !== this.side
  }

  // The hook's `arg` is a C struct {bool ereport_on_violation, bool result}.
  #onNameSearch(namespace: number, arg: number): void {
    if (this.side === PLATFORM_WORK || !this.#isForeign(namespace)) return
    const heap = this.#backend.module.HEAPU8
    if (heap[arg] !== 0) this.deny('permission denied for schema of another project')
    heap[arg + 1] = 0
  }

  #onExecute(routine: number): void {
    this.onRoutine?.()
    if (routine < FIRST_NORMAL_OID) {
      if (this.#stickyRoutines.has(routine)) this.touchedSession = true
    } else if (this.#isForeign(this.#backend.module._get_func_namespace(routine)))
      this.deny('permission denied for function of another project')
  }

  // The C structs are List {tag, length, max_length, *elements} and RTEPermissionInfo {tag, relid, …} (pg_list.h,
  // parsenodes.h).
  #mayTouchAll(infos: number, raiseError: boolean): boolean {
    const backend = this.#backend
    const length = backend.readWord(infos + 4)
    const elements = backend.readWord(infos + 12)
    const isCopy = this.isCopyingTable && this.isFencing
    this.isCopyingTable = false
    for (let index = 0; index < length; index++) {
      const relation = backend.readWord(backend.readWord(elements + 4 * index) + 4)
      if (relation < FIRST_NORMAL_OID) {
        if (isCopy) this.deny('permission denied to copy a system catalogue; copy a query instead')
        continue
      }
      if (relation === this.outbox) this.wroteOutbox = true
      const refusal = this.#refusalOf(relation)
      if (refusal === undefined) continue
      if (raiseError) this.deny(...refusal)
      return false
    }
    return true
  }

  #refusalOf(relation: number): readonly [message: string, routine?: string] | undefined {
    const { module } = this.#backend
    if (this.#isForeign(module._get_rel_namespace(relation)))
      return ['permission denied for relation of another project']
    const { confinement } = this
    const isOutside = confinement !== undefined && relation !== confinement.relation
    return isOutside && module._GetUserId() === confinement.role ? BEYOND : undefined
  }
}

const BEYOND = [
  'permission denied: in realtime a policy reads no table but its own',
  BEYOND_RELATION,
] as const

/** Raises ereport(ERROR) from JavaScript, inside a hook. Does not return. The texts are C formats and must not contain `%`. */
export function raise(
  backend: Backend,
  sqlState: string,
  message: string,
  hint?: string,
  routine = 'tenantry',
): void {
  const { module } = backend
  const here = backend.constant('tenantry')
  module._errstart(ERROR, 0)
  module._errcode(packSqlState(sqlState))
  module._errmsg_internal(backend.constant(message), 0)
  if (hint !== undefined) module._errhint(backend.constant(hint), 0)
  module._errfinish(here, 0, backend.constant(routine))
}

/** ereport(WARNING). The text is a C format and must not contain `%`. */
export function warn(backend: Backend, message: string): void {
  const { module } = backend
  const here = backend.constant('tenantry')
  if (module._errstart(WARNING, 0) === 0) return
  module._errmsg_internal(backend.constant(message), 0)
  module._errfinish(here, 0, here)
}

// MAKE_SQLSTATE packs six bits per character (elog.h).
function packSqlState(sqlState: string): number {
  let packed = 0
  for (let index = 0; index < sqlState.length; index++)
    packed |= ((sqlState.charCodeAt(index) - 48) & 0x3f) << (6 * index)
  return packed
}
