// A request for row changes. All channels of one role that make the same request share one binding, which is bound once per
// table and matched once per change.

import type { RowChange, WatchedTable } from '../../../database/changes/row-change.ts'
import type { Engine } from '../../../database/engine.ts'
import type { Role } from '../match/ask-postgres.ts'
import type { Match } from '../match/match-row.ts'
import { type BoundRequest, bindRequest, matchRequest } from './bind-to-table.ts'
import type { ChangeRequest } from './change-request.ts'
import { SubscriptionError } from './change-request.ts'

export class ChangeBinding<Subscriber = unknown> {
  readonly request: ChangeRequest
  readonly role: Role
  readonly subscribers: Set<Subscriber> = new Set()
  readonly #engine: Engine
  /** The bound request of each table. `undefined` means that the table lacks a column or a value does not fit. */
  readonly #bound = new WeakMap<WatchedTable, BoundRequest | undefined>()
  readonly #underWay = new WeakMap<WatchedTable, Promise<void>>()

  constructor(engine: Engine, request: ChangeRequest, role: Role) {
    this.#engine = engine
    this.request = request
    this.role = role
  }

  /** Whether the request includes this table. */
  concerns(table: WatchedTable): boolean {
    return this.request.table === '*' || this.request.table === table.name
  }

  isBoundTo(table: WatchedTable): boolean {
    return this.#bound.has(table)
  }

  /**
   * Binds the request to the table, so that `match` can be called.
   * @throws {SubscriptionError} request_refused
   * @throws {SqlError} when the engine is busy or not running
   */
  bindTo(table: WatchedTable): Promise<void> {
    const known = this.#underWay.get(table)
    if (known !== undefined) return known
    const binding = bindRequest(this.#engine, this.request, table, this.role).then(
      (bound) => {
        this.#bound.set(table, bound)
      },
      (error: unknown) => {
        this.#underWay.delete(table)
        if (error instanceof SubscriptionError) this.#bound.set(table, undefined)
        throw error
      },
    )
    this.#underWay.set(table, binding)
    return binding
  }

  /** Whether the change matches the request. Its table must already be bound. */
  match(change: RowChange): Match {
    const bound = this.#bound.get(change.table)
    return bound !== undefined && matchRequest(bound, change)
  }
}
