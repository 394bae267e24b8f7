// A hook before every utility statement: refuses to leave the role by name (identity refuses it by right already),
// refuses what would touch a shared role everywhere, refuses transaction control where the engine holds the transaction, and notes statements that may leave something in
// the session. Node tags and offsets are learnt and proved at start.
import { type Backend, BackendDied } from './backend.ts'
import { raise } from './fence.ts'

// PlannedStmt.utilityStmt on wasm32 (plannodes.h, PostgreSQL 18); VariableSetStmt {tag, kind, *name, …} (parsenodes.h).
const UTILITY_OFFSET = 88
const NAME_OFFSET = 8
const ROLE_SETTINGS = new Set(['role', 'session_authorization'])
// `set transaction …` and the settings behind it; before the first snapshot Postgres lets a transaction write again.
const TRANSACTION_SETTINGS = new Set(['transaction', 'transaction_read_only'])

type Probe = (statement: string) => void

export class UtilityGuard {
  readonly #backend: Backend
  #variableSetTag = -1
  #transactionTag = -1
  /** DROP OWNED and ALTER ROLE … SET reach what a role shared by all tenants has everywhere. */
  #sharedRoleTags: ReadonlySet<number> = new Set()
  #lastTag = -1
  #lastName = ''
  #isLearning = false
  /** Whether tenant SQL runs: only then is anything refused or noted. */
  isActive = false
  /** COMMIT, ROLLBACK and SAVEPOINT are refused. */
  refusesTransactionControl = false
  /** The transaction's own settings are refused. */
  isReadOnly = false
  /** A statement ran that may leave something in the session. */
  touchedSession = false

  private constructor(backend: Backend) {
    this.#backend = backend
  }

  /**
   * Sets the hook and learns the node tags from harmless statements.
   * @throws {BackendDied} when the statements do not look as expected
   */
  static install(backend: Backend, probe: Probe): UtilityGuard {
    const guard = new UtilityGuard(backend)
    const { module } = backend
    // void (PlannedStmt *, const char *, bool, ProcessUtilityContext, ParamListInfo, QueryEnvironment *, DestReceiver *, QueryCompletion *)
    const hook = module.addFunction((...args) => {
      guard.#look(args[0] ?? 0)
      module._standard_ProcessUtility(...args)
    }, 'viiiiiiii')
    backend.writeWord(module._ProcessUtility_hook, hook)
    guard.#learn(probe)
    return guard
  }

  #learn(probe: Probe): void {
    this.#isLearning = true
    probe('set lock_timeout = 0')
    const variableSetTag = this.#lastTag
    const name = this.#lastName
    probe('rollback')
    const transactionTag = this.#lastTag
    probe('drop owned by no_such_role')
    const dropOwnedTag = this.#lastTag
    probe('alter role no_such_role set lock_timeout = 0')
    const alterRoleSetTag = this.#lastTag
    probe('alter role no_such_role password null')
    const alterRoleTag = this.#lastTag
    this.#isLearning = false
    const sharedRoleTags = new Set([dropOwnedTag, alterRoleSetTag, alterRoleTag])
    const all = new Set([variableSetTag, transactionTag, ...sharedRoleTags])
    if (name !== 'lock_timeout' || all.size !== 5)
      throw new BackendDied('utility statements cannot be recognised')
    this.#sharedRoleTags = sharedRoleTags
    this.#variableSetTag = variableSetTag
    this.#transactionTag = transactionTag
  }

  #look(plannedStatement: number): void {
    if (!this.isActive && !this.#isLearning) return
    const backend = this.#backend
    const statement = backend.readWord(plannedStatement + UTILITY_OFFSET)
    const tag = backend.readWord(statement)
    if (this.#isLearning) this.#note(tag, statement)
    else if (tag === this.#transactionTag) this.#onTransactionControl()
    else this.#onOther(tag, statement)
  }

  #note(tag: number, statement: number): void {
    this.#lastTag = tag
    this.#lastName = this.#nameOf(statement)
  }

  #onTransactionControl(): void {
    if (this.refusesTransactionControl)
      raise(this.#backend, '2D000', 'this script runs in one transaction and may not end it')
  }

  #onOther(tag: number, statement: number): void {
    this.touchedSession = true
    if (this.#sharedRoleTags.has(tag))
      raise(this.#backend, '42501', 'permission denied to change what a role has')
    if (tag !== this.#variableSetTag) return
    const name = this.#nameOf(statement)
    if (ROLE_SETTINGS.has(name)) raise(this.#backend, '42501', 'permission denied to set role')
    if (this.isReadOnly && TRANSACTION_SETTINGS.has(name))
      raise(this.#backend, '25001', 'this request is read-only')
  }

  #nameOf(statement: number): string {
    const backend = this.#backend
    const address = backend.readWord(statement + NAME_OFFSET)
    const isAddress = address > 0 && address < backend.heapBytes
    return isAddress ? backend.readText(address).toLowerCase() : ''
  }
}
