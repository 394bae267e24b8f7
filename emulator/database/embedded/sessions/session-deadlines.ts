// Ends a session of the Postgres port after its own transaction_timeout (25P04) or idle_in_transaction_session_timeout (25P03),
// in wall time. The engine runs no timers, so this module enforces the timeouts.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { TurnEnd } from '../../../core/postgres-session.ts'
import { SqlError } from '../../engine.ts'

const NOTHING: Cancel = () => {}

export class SessionDeadlines {
  readonly #wallClock: Clock
  readonly #expire: (error: SqlError) => void
  #stopTransaction: Cancel = NOTHING
  #stopIdle: Cancel = NOTHING

  /** @param expire ends the session, at most once for each transaction */
  constructor(wallClock: Clock, expire: (error: SqlError) => void) {
    this.#wallClock = wallClock
    this.#expire = expire
  }

  /** @param timeoutMillis 0 means no limit */
  onTransactionBegun(timeoutMillis: number): void {
    this.#stopTransaction()
    this.#stopTransaction = this.#start(
      timeoutMillis,
      '25P04',
      'terminating connection due to transaction timeout',
    )
  }

  onTurn(): void {
    this.#stopIdle()
    this.#stopIdle = NOTHING
  }

  /** @param idleMillis idle_in_transaction_session_timeout; 0 means no limit */
  onTurnEnd(state: TurnEnd['state'], idleMillis = 0): void {
    if (state === 'idle') this.end()
    // A session is not idle inside a pipeline, because Postgres reads commands until ReadyForQuery.
    else if (state !== 'pipeline')
      this.#stopIdle = this.#start(
        idleMillis,
        '25P03',
        'terminating connection due to idle-in-transaction timeout',
      )
  }

  end(): void {
    this.#stopTransaction()
    this.#stopIdle()
    this.#stopTransaction = NOTHING
    this.#stopIdle = NOTHING
  }

  #start(millis: number, sqlState: string, message: string): Cancel {
    if (millis === 0) return NOTHING
    return this.#wallClock.after(millis, () => {
      this.end()
      this.#expire(new SqlError(sqlState, message))
    })
  }
}
