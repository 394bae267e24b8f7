// Reads the session's timeouts directly from the engine's memory, without a query. Finds their addresses at start by setting a
// value and searching for it.
import type { Backend } from '../backend/backend.ts'
import { setLocal } from './settings.ts'

const NAMES = {
  statement: 'statement_timeout',
  transaction: 'transaction_timeout',
  idleInTransaction: 'idle_in_transaction_session_timeout',
} as const

type Timeout = keyof typeof NAMES

interface ProbedSession {
  readonly backend: Backend
  /** Runs `inside` in its own transaction. */
  between(inside: () => void): void
}

// Offsets in bytes where `int *variable` of struct config_int may be (guc_tables.h). The field follows struct config_generic,
// whose size differs between versions.
const SEARCHED = { from: 40, to: 160 } as const
/** Values in milliseconds that are unlikely elsewhere in memory. */
const PROBES = [1_234_567_891, 987_654_321] as const
const WARNING = 19

export class TimeoutSettings {
  readonly #backend: Backend
  readonly #addresses: Readonly<Record<Timeout, number>>

  private constructor(backend: Backend, addresses: Readonly<Record<Timeout, number>>) {
    this.#backend = backend
    this.#addresses = addresses
  }

  /** Returns `undefined` when an address cannot be found. */
  static find(session: ProbedSession): TimeoutSettings | undefined {
    const statement = addressOf(session, NAMES.statement)
    const transaction = addressOf(session, NAMES.transaction)
    const idleInTransaction = addressOf(session, NAMES.idleInTransaction)
    if (!(statement && transaction && idleInTransaction)) return undefined
    return new TimeoutSettings(session.backend, { statement, transaction, idleInTransaction })
  }

  /** Returns the value in force, in milliseconds; 0 means no limit. */
  get(name: Timeout): number {
    return this.#backend.readWord(this.#addresses[name])
  }
}

function addressOf(session: ProbedSession, name: string): number | undefined {
  const { backend } = session
  const option = backend.module._find_option(backend.constant(name), 0, 1, WARNING)
  if (option === 0) return undefined
  let candidates: number[] | undefined
  for (const probe of PROBES)
    session.between(() => {
      setLocal(backend, name, String(probe))
      candidates = (candidates ?? pointersIn(backend, option)).filter(
        (address) => backend.readWord(address) === probe,
      )
    })
  const isReset = candidates?.[0] !== undefined && backend.readWord(candidates[0]) === 0
  return candidates?.length === 1 && isReset ? candidates[0] : undefined
}

function pointersIn(backend: Backend, option: number): number[] {
  const pointers: number[] = []
  for (let offset = SEARCHED.from; offset <= SEARCHED.to; offset += 4) {
    const address = backend.readWord(option + offset)
    if (address > 0 && address % 4 === 0 && address < backend.heapBytes) pointers.push(address)
  }
  return pointers
}
