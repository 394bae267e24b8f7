// Reports when a statement of a session begins, so that the main thread can time it: the engine has no timers.
// statement_timeout applies to each statement of a simple query, and from the first extended message to the end of its Execute
// or Sync. transaction_timeout applies to the whole transaction (PostgreSQL documentation, "Statement Behavior").
import type { Backend } from '../backend/backend.ts'
import type { TimeoutSettings } from './session-timeouts.ts'

/** The timeouts of a statement that begins. */
export interface StatementStart {
  /** The statement's `statement_timeout` in milliseconds; 0 means no limit. */
  readonly timeoutMillis: number
  /** The `transaction_timeout` of the transaction that begins with this statement; `undefined` inside a transaction. */
  readonly transactionMillis: number | undefined
}

export interface StatementListener {
  /**
   * Called when a statement or a transaction with a timeout begins, and when a statement begins after the transaction's timeout
   * has changed.
   */
  onStart(start: StatementStart): void
  /** Called when the reported statement has ended. */
  onEnd(): void
}

// The C struct is ParseState {*parentParseState, *p_sourcetext, …} (parse_node.h).
const SOURCE_TEXT_OFFSET = 4
const SIMPLE_QUERY = 'Q'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const BEGINNING = new Set(Array.from('PBDE', (kind) => kind.charCodeAt(0)))
const COPY_DATA = new Set(Array.from('dcf', (kind) => kind.charCodeAt(0)))

export class StatementWatch {
  readonly #backend: Backend
  readonly #timeouts: TimeoutSettings
  readonly #listener: StatementListener
  readonly #hook: number
  /** The kind of the message that the engine processes. */
  #message = 0
  #isActive = false
  /** True when the start of the running statement was reported. */
  #isTimed = false
  /** True when the next statement is the first of a simple query, which is timed from the message on. */
  #isFirst = false
  #isNewTransaction = false
  /** True when the next message continues a transaction that was reported before. */
  #isResumption = false
  /** The transaction_timeout that was reported last. */
  #transactionMillis = 0

  constructor(backend: Backend, timeouts: TimeoutSettings, listener: StatementListener) {
    this.#backend = backend
    this.#timeouts = timeouts
    this.#listener = listener
    // The hook's C signature: void (ParseState *, Query *, JumbleState *).
    this.#hook = backend.module.addFunction((state = 0) => {
      this.#onAnalyzed(state)
      return undefined
    }, 'viii')
  }

  /** Call this method with each message that the engine reads. */
  during<Result>(exchange: () => Result): Result {
    const { module } = this.#backend
    this.#backend.onMessage = (kind) => this.#onMessage(kind)
    this.#backend.writeWord(module._post_parse_analyze_hook, this.#hook)
    try {
      return exchange()
    } finally {
      this.#backend.writeWord(module._post_parse_analyze_hook, 0)
      this.#backend.onMessage = undefined
      this.#end()
      this.#message = 0
    }
  }

  /** Call this method when the next messages continue a replayed transaction. The transaction's timeout is already running. */
  onResumption(): void {
    this.#isResumption = true
    this.#transactionMillis = this.#timeouts.get('transaction')
  }

  /** Call this method at a COMMIT or ROLLBACK: later statements of the same query are in another transaction. */
  onTransactionEnd(): void {
    this.#isNewTransaction = true
  }

  #onMessage(kind: number): void {
    if (COPY_DATA.has(kind)) return
    if (this.#message === EXECUTE || this.#message === SIMPLE_QUERY || kind === SYNC) this.#end()
    this.#message = kind
    const isSimple = kind === SIMPLE_QUERY
    if (!isSimple && (!BEGINNING.has(kind) || this.#isActive)) return
    this.#isNewTransaction = !this.#isResumption && !this.#backend.isInTransaction()
    this.#isResumption = false
    this.#isFirst = isSimple
    this.#begin()
  }

  // Postgres analyses each statement of a simple query just before it runs. Statements inside functions have another source
  // text.
  #onAnalyzed(state: number): void {
    if (this.#message !== SIMPLE_QUERY) return
    const backend = this.#backend
    const source = backend.readWord(state + SOURCE_TEXT_OFFSET)
    if (source !== backend.readWord(backend.module._debug_query_string)) return
    if (!this.#isFirst) {
      this.#end()
      this.#begin()
    }
    this.#isFirst = false
  }

  #begin(): void {
    this.#isActive = true
    const ofStatement = this.#timeouts.get('statement')
    const ofTransaction = this.#timeouts.get('transaction')
    // Reports only the transaction's timeout when it would expire first, because the transaction's error message is more precise.
    const timeoutMillis = ofTransaction > 0 && ofStatement >= ofTransaction ? 0 : ofStatement
    const isNewTimeout = ofTransaction !== this.#transactionMillis
    const restarts = isNewTimeout || (this.#isNewTransaction && ofTransaction > 0)
    this.#isNewTransaction = false
    if (timeoutMillis === 0 && !restarts) return
    this.#isTimed = true
    this.#transactionMillis = ofTransaction
    const transactionMillis = restarts ? ofTransaction : undefined
    this.#listener.onStart({ timeoutMillis, transactionMillis })
  }

  #end(): void {
    this.#isActive = false
    if (!this.#isTimed) return
    this.#isTimed = false
    this.#listener.onEnd()
  }
}
