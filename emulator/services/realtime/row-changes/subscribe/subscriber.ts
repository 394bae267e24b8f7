// The subscribers of row changes and the bindings that they share. A subscriber is a channel with one token. A subscriber gets
// the changes that are committed after its confirmation, until a subscriber with a newer token replaces it.
import type { RowChange, WatchedTable } from '../../../../database/changes/row-change.ts'
import type { Engine } from '../../../../database/engine.ts'
import type { ChangeChannel } from '../change-subscriptions.ts'
import type { Identity } from '../judge/verdict.ts'
import type { Role } from '../match/ask-postgres.ts'
import type { Match } from '../match/match-row.ts'
import { type BoundRequest, bindRequest, matchRequest } from './bind-to-table.ts'
import { type ChangeRequest, SubscriptionError } from './change-request.ts'

/**
 * A request for row changes. All channels of one role that make the same request share one binding, which is bound once per
 * table and matched once per change.
 */
export class SharedBinding {
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

  /** Whether the change matches the request. The change's table must already be bound. */
  match(change: RowChange): Match {
    const bound = this.#bound.get(change.table)
    return bound !== undefined && matchRequest(bound, change)
  }
}

/** A binding with its id in the channel. */
export interface NumberedBinding {
  readonly binding: SharedBinding
  readonly id: number
}

/** An identity that is judged once for all channels with this identity. */
export interface SharedIdentity {
  readonly identity: Identity
  /** Number of the identity within the project. */
  readonly serial: number
}

export class Subscriber {
  readonly channel: ChangeChannel
  readonly shared: SharedIdentity
  readonly bindings: readonly NumberedBinding[]
  /** The subscriber gets changes with higher numbers only. */
  since: number = Number.POSITIVE_INFINITY
  /** Number of the last change that the subscriber gets. */
  until: number = Number.POSITIVE_INFINITY

  constructor(
    channel: ChangeChannel,
    shared: SharedIdentity,
    bindings: readonly NumberedBinding[],
  ) {
    this.channel = channel
    this.shared = shared
    this.bindings = bindings
  }

  owns({ number }: RowChange): boolean {
    return number > this.since && number <= this.until
  }

  /** Whether the set contains one of the subscriber's bindings. */
  wantsOneOf(bindings: ReadonlySet<SharedBinding>): boolean {
    return this.bindings.some(({ binding }) => bindings.has(binding))
  }
}
