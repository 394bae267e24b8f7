// A hook before every utility statement. Refuses SET ROLE, changes of roles that all tenants share, and transaction control
// where the engine controls the transaction. Records statements that may change the session. Finds PostgreSQL's node tags by
// running statements at start.
import { type Backend, BackendDied } from '../backend/backend.ts'
import { raise } from './fence.ts'

// Offsets of PlannedStmt.utilityStmt on wasm32 (plannodes.h, PostgreSQL 18) and in VariableSetStmt {tag, kind, *name, …}
// (parsenodes.h).
const UTILITY_OFFSET = 88
const NAME_OFFSET = 8
// The C struct is CopyStmt {tag, *relation, *query, *attlist, is_from, …} (parsenodes.h).
const COPY_RELATION_OFFSET = 4
// The C structs are AlterDefaultPrivilegesStmt {tag, *options, …}, DefElem {tag, *namespace, *name, *arg, …}, RoleSpec {tag,
// kind, *name, …} and List {tag, length, max_length, *elements} (parsenodes.h, pg_list.h).
const OPTIONS_OFFSET = 4
const OPTION_ARGUMENT_OFFSET = 12
const ROLE_NAME_OFFSET = 8
// The C structs are DiscardStmt {tag, target}, DeclareCursorStmt {tag, *portalname, options, …} and ClosePortalStmt {tag,
// *portalname} (parsenodes.h).
const DISCARD_TARGET_OFFSET = 4
const DISCARD_ALL = 0
const CURSOR_NAME_OFFSET = 4
const CURSOR_OPTIONS_OFFSET = 8
// The C struct is AlterOwnerStmt {tag, objectType, *relation, *object, *newowner}.
const NEW_OWNER_OFFSET = 16
const CURSOR_BINARY = 0x01
const CURSOR_SCROLL = 0x02
const CURSOR_HOLD = 0x20
// CreateStmt, ViewStmt and CreateSeqStmt {tag, *relation, …}, CreateTableAsStmt {tag, *query, *into, …}, IntoClause {tag, *rel,
// …}, RangeVar {tag, *catalogname, *schemaname, *relname, inh, relpersistence, …}. The sample statements fail because their
// schema does not exist.
const RELATION_PROBES = [
  { text: 'create table no_such_schema.probe ()', offsets: [4] },
  { text: 'create view no_such_schema.probe as select', offsets: [4] },
  { text: 'create sequence no_such_schema.probe', offsets: [4] },
  { text: 'create table no_such_schema.probe as select', offsets: [8, 4] },
] as const
const SCHEMA_OFFSET = 8
const PERSISTENCE_OFFSET = 17
const TEMPORARY = 't'.charCodeAt(0)
const NO_LASTING_TABLES =
  'temporary tables outside of a transaction are not supported: other sessions share the database engine'
const CREATE_IN_TRANSACTION =
  'Create and use the table inside one transaction: BEGIN; CREATE TEMPORARY TABLE … ON COMMIT DROP; …; COMMIT.'
// The C structs are VacuumStmt {tag, *options, *rels, …} and ClusterStmt {tag, *relation, …} (parsenodes.h).
const NAMED_TABLES = [
  { text: 'analyze no_such_table', offset: 8 },
  { text: 'cluster no_such_table', offset: 4 },
] as const
const NO_TABLE_NAMED = 'VACUUM, ANALYZE and CLUSTER without a table are not supported'
const NAME_TABLES =
  'Name the tables, as in ANALYZE notes: without a name the command covers the tables of every project.'
// The C struct is TransactionStmt {tag, kind, …}, with TRANS_STMT_COMMIT and TRANS_STMT_ROLLBACK (parsenodes.h).
const KIND_OFFSET = 4
const ENDS_TRANSACTION = new Set([2, 3])
const ROLE_SETTINGS = new Set(['role', 'session_authorization'])
// Names in VariableSetStmt: `transaction` for `set transaction …`, and the setting that this statement changes. Before the first
// snapshot, both can make a read-only transaction writable.
const TRANSACTION_SETTINGS = new Set(['transaction', 'transaction_read_only'])

// Harmless statements that show the node tags which the guard must recognise.
const PROBES = {
  variableSet: 'set lock_timeout = 0',
  transaction: 'rollback',
  dropOwned: 'drop owned by no_such_role',
  alterRoleSet: 'alter role no_such_role set lock_timeout = 0',
  alterRole: 'alter role no_such_role password null',
  defaultPrivileges:
    'alter default privileges for role no_such_role revoke select on tables from public',
  owner: 'alter schema no_such_schema owner to no_such_role',
  show: 'show lock_timeout',
  discard: 'discard plans',
  cursor: 'declare no_such_cursor cursor for select',
  close: 'close no_such_cursor',
  copy: 'copy no_such_table to stdout',
} as const
type Kind = keyof typeof PROBES

type Probe = (statement: string) => void

/** Facts about the work that the guard checks. */
export interface GuardedWork {
  /** Whether the guard refuses the transaction's own settings. */
  readonly isReadOnly: boolean
  /** Whether the work's role is the session user, so that RESET ROLE is harmless. */
  readonly isLogin: boolean
  /** The owner role of the tenant whose work runs; `undefined` while a shared role runs the work. */
  readonly owner: string | undefined
}

const ANY_WORK: GuardedWork = { isReadOnly: false, isLogin: false, owner: undefined }

export class UtilityGuard {
  readonly #backend: Backend
  #kinds: ReadonlyMap<number, Kind> = new Map()
  /** The statements that create a relation, with the offsets of the relation's name. */
  #relationOffsets: ReadonlyMap<number, readonly number[]> = new Map()
  /** The statements that affect every project unless they name a table, with the table's offset. */
  #tableOffsets: ReadonlyMap<number, number> = new Map()
  #lastTag = -1
  #lastName = ''
  #isLearning = false
  /** `undefined` between two pieces of work, when the guard neither refuses nor records anything. */
  #work: GuardedWork | undefined
  /** True while the guard refuses COMMIT, ROLLBACK and SAVEPOINT. */
  refusesTransactionControl = false
  /** Called when COPY of a whole table begins or ends. */
  onTableCopy: (isCopying: boolean) => void = () => {}
  /** True when a statement ran that may have changed the session. */
  touchedSession = false
  /**
   * The cursors WITH HOLD that were declared since the session was cleaned. Maps each name to whether the cursor was declared
   * SCROLL. Some of the cursors may no longer exist. Binary cursors are left out.
   */
  readonly heldCursors: Map<string, boolean> = new Map()
  /** True when a utility statement ran since `beginTurn`. */
  ranUtility = false
  /** True when a utility statement did more than set, show, or begin and end transactions and savepoints. */
  ranOtherUtility = false
  /** Called when DISCARD ALL has succeeded. */
  onDiscardAll: () => void = () => {}
  /** Called before a COMMIT or ROLLBACK. */
  onTransactionEnd: (() => void) | undefined
  /** The names of custom settings (`app.user`) that were set, newest last, because Postgres lists them nowhere. */
  readonly customSettings: Set<string> = new Set()

  private constructor(backend: Backend) {
    this.#backend = backend
  }

  /**
   * Installs the hook and finds the node tags by running harmless statements.
   * @throws {BackendDied} when the tags are not as expected
   */
  static install(backend: Backend, probe: Probe): UtilityGuard {
    const guard = new UtilityGuard(backend)
    const { module } = backend
    // The hook's C signature: void (PlannedStmt *, const char *, bool, ProcessUtilityContext, ParamListInfo, QueryEnvironment
    // *, DestReceiver *, QueryCompletion *).
    const hook = module.addFunction((...args) => {
      guard.#look(args[0] ?? 0)
      try {
        module._standard_ProcessUtility(...args)
      } finally {
        guard.onTableCopy(false)
      }
      guard.#lookAfter(args[0] ?? 0)
    }, 'viiiiiiii')
    backend.writeWord(module._ProcessUtility_hook, hook)
    guard.#learn(probe)
    return guard
  }

  #learn(probe: Probe): void {
    const tagOf = (text: string): number => {
      probe(text)
      return this.#lastTag
    }
    this.#isLearning = true
    probe(PROBES.variableSet)
    const name = this.#lastName
    const kinds = new Map<number, Kind>()
    for (const [kind, text] of Object.entries(PROBES)) kinds.set(tagOf(text), kind as Kind)
    const relations = new Map(RELATION_PROBES.map(({ text, offsets }) => [tagOf(text), offsets]))
    const tables = new Map(NAMED_TABLES.map(({ text, offset }) => [tagOf(text), offset]))
    this.#isLearning = false
    const isEachFound =
      kinds.size === Object.keys(PROBES).length &&
      relations.size === RELATION_PROBES.length &&
      tables.size === NAMED_TABLES.length
    const tags = [...kinds.keys(), ...relations.keys(), ...tables.keys()]
    if (name !== 'lock_timeout' || !isEachFound || new Set(tags).size !== tags.length)
      throw new BackendDied('utility statements cannot be recognised')
    this.#kinds = kinds
    this.#relationOffsets = relations
    this.#tableOffsets = tables
  }

  /** Guards tenant SQL until `end` is called. */
  begin(work: GuardedWork = ANY_WORK): void {
    this.#work = work
  }

  end(): void {
    this.#work = undefined
  }

  /** Resets what was recorded for the previous turn of a client. */
  beginTurn(): void {
    this.ranUtility = false
    this.ranOtherUtility = false
  }

  #look(plannedStatement: number): void {
    if (this.#work === undefined && !this.#isLearning) return
    const backend = this.#backend
    const statement = backend.readWord(plannedStatement + UTILITY_OFFSET)
    const tag = backend.readWord(statement)
    this.ranUtility = true
    const kind = this.#kinds.get(tag)
    this.ranOtherUtility ||= kind !== 'transaction' && kind !== 'variableSet' && kind !== 'show'
    if (this.#isLearning) this.#note(tag, statement)
    else if (kind === 'transaction') this.#onTransactionControl(statement)
    else this.#onOther(tag, kind, statement)
  }

  // Reports a successful DISCARD ALL, which runs outside of transactions. The statement's memory may be freed after a COMMIT.
  #lookAfter(plannedStatement: number): void {
    if (this.#work === undefined || !this.ranOtherUtility) return
    const backend = this.#backend
    const statement = backend.readWord(plannedStatement + UTILITY_OFFSET)
    const isDiscard = this.#kinds.get(backend.readWord(statement)) === 'discard'
    if (isDiscard && backend.readWord(statement + DISCARD_TARGET_OFFSET) === DISCARD_ALL)
      this.onDiscardAll()
  }

  #note(tag: number, statement: number): void {
    this.#lastTag = tag
    this.#lastName = this.#nameOf(statement)
  }

  #onTransactionControl(statement: number): void {
    if (this.refusesTransactionControl)
      raise(this.#backend, '2D000', 'this script runs in one transaction and may not end it')
    const kind = this.#backend.readWord(statement + KIND_OFFSET)
    if (ENDS_TRANSACTION.has(kind)) this.onTransactionEnd?.()
  }

  #onOther(tag: number, kind: Kind | undefined, statement: number): void {
    this.touchedSession = true
    if (kind === 'dropOwned' || kind === 'alterRoleSet' || kind === 'alterRole')
      raise(this.#backend, '42501', 'permission denied to change what a role has')
    const offsets = this.#relationOffsets.get(tag)
    if (offsets !== undefined) this.#onNewRelation(statement, offsets)
    const tableOffset = this.#tableOffsets.get(tag)
    if (tableOffset !== undefined && this.#backend.readWord(statement + tableOffset) === 0)
      raise(this.#backend, '0A000', NO_TABLE_NAMED, NAME_TABLES)
    if (kind === 'owner') this.#onOwnerChange(statement)
    if (kind === 'cursor') this.#onCursor(statement)
    if (kind === 'close') this.#onClose(statement)
    if (kind === 'copy')
      this.onTableCopy(this.#backend.readWord(statement + COPY_RELATION_OFFSET) !== 0)
    if (kind === 'defaultPrivileges') this.#onDefaultPrivileges(statement)
    if (kind !== 'variableSet') return
    const name = this.#nameOf(statement)
    if (name.includes('.')) this.customSettings.add(name)
    if (ROLE_SETTINGS.has(name) && !this.#work?.isLogin === true)
      raise(this.#backend, '42501', 'permission denied to set role')
    if (this.#work?.isReadOnly === true && TRANSACTION_SETTINGS.has(name))
      raise(this.#backend, '25001', 'this request is read-only')
  }

  // Postgres checks no privilege for ALTER … OWNER TO the present owner. A success would reveal the owner of another tenant's
  // object.
  #onOwnerChange(statement: number): void {
    const role = this.#backend.readWord(statement + NEW_OWNER_OFFSET)
    const name = this.#backend.readText(this.#backend.readWord(role + ROLE_NAME_OFFSET))
    if (name !== '' && name !== this.#work?.owner)
      raise(
        this.#backend,
        '42501',
        'permission denied to change the owner',
        'The platform owns all schemas, and the role of a project owns all objects that the project creates.',
      )
  }

  #onNewRelation(statement: number, offsets: readonly number[]): void {
    const backend = this.#backend
    const relation = offsets.reduce((at, offset) => backend.readWord(at + offset), statement)
    const isTemporary =
      backend.module.HEAPU8[relation + PERSISTENCE_OFFSET] === TEMPORARY ||
      backend.readText(backend.readWord(relation + SCHEMA_OFFSET)) === 'pg_temp'
    if (isTemporary && this.#work?.isLogin === true && backend.module._IsTransactionBlock() === 0)
      raise(backend, '0A000', NO_LASTING_TABLES, CREATE_IN_TRANSACTION)
  }

  #onCursor(statement: number): void {
    const options = this.#backend.readWord(statement + CURSOR_OPTIONS_OFFSET)
    const name = this.#backend.readText(this.#backend.readWord(statement + CURSOR_NAME_OFFSET))
    this.heldCursors.delete(name)
    if ((options & (CURSOR_HOLD | CURSOR_BINARY)) === CURSOR_HOLD)
      this.heldCursors.set(name, (options & CURSOR_SCROLL) !== 0)
  }

  // A statement without a name is CLOSE ALL.
  #onClose(statement: number): void {
    const name = this.#backend.readWord(statement + CURSOR_NAME_OFFSET)
    if (name === 0) this.heldCursors.clear()
    else this.heldCursors.delete(this.#backend.readText(name))
  }

  // An owner may change its own defaults, but not those of a role that all tenants share.
  #onDefaultPrivileges(statement: number): void {
    const owner = this.#work?.owner
    if (owner === undefined || this.#namedRoles(statement).some((name) => name !== owner))
      raise(this.#backend, '42501', 'permission denied to change default privileges')
  }

  /** Returns the roles named after FOR ROLE. Keywords such as `current_role` have no name and mean the owner. */
  #namedRoles(statement: number): string[] {
    const backend = this.#backend
    return this.#elements(backend.readWord(statement + OPTIONS_OFFSET))
      .filter((option) => this.#nameOf(option) === 'roles')
      .flatMap((option) => this.#elements(backend.readWord(option + OPTION_ARGUMENT_OFFSET)))
      .map((role) => backend.readText(backend.readWord(role + ROLE_NAME_OFFSET)))
      .filter((name) => name !== '')
  }

  #elements(list: number): number[] {
    if (list === 0) return []
    const backend = this.#backend
    const elements = backend.readWord(list + 12)
    return Array.from({ length: backend.readWord(list + 4) }, (_, index) =>
      backend.readWord(elements + 4 * index),
    )
  }

  #nameOf(statement: number): string {
    const backend = this.#backend
    const address = backend.readWord(statement + NAME_OFFSET)
    const isAddress = address > 0 && address < backend.heapBytes
    return isAddress ? backend.readText(address).toLowerCase() : ''
  }
}
