// Keeps the subscribers to a project's row changes. Channels share the binding of equal requests, the identity of the same user
// and the change subscription of the same table.
import { stableStringify } from '../../../../core/json.ts'
import type { SchemaName } from '../../../../core/names.ts'
import type {
  ChangeListener,
  ChangeSource,
  ChangeSubscription,
  WatchedTable,
} from '../../../../database/changes/row-change.ts'
import { type Engine, SqlError } from '../../../../database/engine.ts'
import type { RealtimeToken } from '../../tokens/realtime-token.ts'
import type { ChangeChannel } from '../change-subscriptions.ts'
import { unavailable } from './bind-to-table.ts'
import type { ChangeRequest } from './change-request.ts'
import {
  type NumberedBinding,
  SharedBinding,
  type SharedIdentity,
  Subscriber,
} from './subscriber.ts'

/** A request with its id in the channel. */
export interface NumberedRequest {
  readonly request: ChangeRequest
  readonly id: number
}

interface Shared<Value> {
  readonly value: Value
  shares: number
}

export class SubscriberRegistry {
  readonly #schemaName: SchemaName
  readonly #engine: Engine
  readonly #source: ChangeSource
  readonly #listener: ChangeListener
  /** Subscriptions at the change source, by the name of the table, or `*` for all tables. */
  readonly #captures = new Map<string, Shared<Promise<ChangeSubscription>>>()
  readonly #bindings = new Map<string, Shared<SharedBinding>>()
  readonly #identities = new Map<string, Shared<SharedIdentity>>()
  readonly #releases = new Map<Subscriber, readonly (() => void)[]>()
  #lastSerial = 0
  /** Increases when the change source ends all subscriptions. */
  #epoch = 0

  constructor(
    schemaName: SchemaName,
    deps: { readonly engine: Engine; readonly source: ChangeSource },
    listener: ChangeListener,
  ) {
    this.#schemaName = schemaName
    this.#engine = deps.engine
    this.#source = deps.source
    this.#listener = listener
  }

  get isEmpty(): boolean {
    return this.#releases.size === 0 && this.#captures.size === 0
  }

  /** Returns the bindings that include the table. */
  bindingsOf(table: WatchedTable): readonly SharedBinding[] {
    return [...this.#bindings.values()]
      .map(({ value }) => value)
      .filter((binding) => binding.subscribers.size > 0 && binding.concerns(table))
  }

  /**
   * Prepares a subscriber, so that `add` can start it without waiting.
   * @throws {SubscriptionError} when a request is refused
   * @throws {SqlError} when the engine is busy or not running
   */
  async prepare(
    channel: ChangeChannel,
    token: RealtimeToken,
    requests: readonly NumberedRequest[],
  ): Promise<Subscriber> {
    const releases: (() => void)[] = []
    const epoch = this.#epoch
    try {
      const bindings: NumberedBinding[] = []
      for (const { request, id } of requests) {
        const tables = await this.#tablesOf(request, releases)
        const binding = this.#shareBinding(request, token.role, releases)
        await Promise.all(tables.map((table) => binding.bindTo(table)))
        bindings.push({ binding, id })
      }
      if (epoch !== this.#epoch) throw new SqlError('57P02', 'the captures were interrupted')
      const subscriber = new Subscriber(channel, this.#shareIdentity(token, releases), bindings)
      this.#releases.set(subscriber, releases)
      return subscriber
    } catch (error) {
      for (const release of releases) release()
      throw error
    }
  }

  /** Starts matching changes for the subscriber. */
  add(subscriber: Subscriber): void {
    for (const { binding } of subscriber.bindings) binding.subscribers.add(subscriber)
  }

  /** Removes a prepared or added subscriber. Callers may call `remove` repeatedly. */
  remove(subscriber: Subscriber): void {
    for (const { binding } of subscriber.bindings) binding.subscribers.delete(subscriber)
    const releases = this.#releases.get(subscriber) ?? []
    this.#releases.delete(subscriber)
    for (const release of releases) release()
  }

  /** Removes and returns all subscribers. The pipeline calls `clear` after the change source has ended all subscriptions. */
  clear(): readonly Subscriber[] {
    const all = [...this.#releases.keys()]
    this.#epoch++
    this.#captures.clear()
    for (const subscriber of all) this.remove(subscriber)
    return all
  }

  async #tablesOf(
    request: ChangeRequest,
    releases: (() => void)[],
  ): Promise<readonly WatchedTable[]> {
    const { schema, table: name } = request
    if (!['*', 'public', this.#schemaName].includes(schema))
      throw unavailable(request, ` A subscriber reaches only its own project: ${this.#schemaName}.`)
    const wanted = name === '*' ? 'all' : new Set([name])
    const open = () => this.#source.subscribe(this.#schemaName, wanted, this.#listener)
    const capture = await share(this.#captures, name, open, releases, closeCapture)
    return name === '*' ? this.#allOf(request, capture) : [this.#oneOf(request, capture)]
  }

  #allOf(request: ChangeRequest, { tables }: ChangeSubscription): readonly WatchedTable[] {
    const secured = [...tables.values()].filter(({ hasRowSecurity }) => hasRowSecurity)
    if (secured.length > 0) return secured
    throw unavailable(request, ` No table of ${this.#schemaName} has row-level security on.`)
  }

  #oneOf(request: ChangeRequest, { tables }: ChangeSubscription): WatchedTable {
    const table = tables.get(request.table)
    const place = `${this.#schemaName}.${request.table}`
    if (table === undefined) throw unavailable(request, ` There is no table ${place}.`)
    if (table.hasRowSecurity) return table
    throw unavailable(
      request,
      ` Row-level security is off on ${place}: realtime sends only changes of tables that have it on (alter table ${request.table} enable row level security).`,
    )
  }

  #shareBinding(
    request: ChangeRequest,
    role: RealtimeToken['role'],
    releases: (() => void)[],
  ): SharedBinding {
    const conditions = request.conditions.map((condition) => ({ ...condition }))
    const key = `${role} ${stableStringify({ ...request, conditions })}`
    const make = () => new SharedBinding(this.#engine, request, role)
    return share(this.#bindings, key, make, releases)
  }

  #shareIdentity(
    { role, schemaName, claims, claimsText }: RealtimeToken,
    releases: (() => void)[],
  ): SharedIdentity {
    const identity = { role, schemaName, claims, claimsText }
    const make = () => ({ identity, serial: ++this.#lastSerial })
    return share(this.#identities, `${role} ${claimsText}`, make, releases)
  }
}

/** Shares the value of a key until the last release, which then calls `close`. */
function share<Value>(
  all: Map<string, Shared<Value>>,
  key: string,
  make: () => Value,
  releases: (() => void)[],
  close?: (value: Value) => void,
): Value {
  const shared = all.get(key) ?? { value: make(), shares: 0 }
  shared.shares++
  all.set(key, shared)
  releases.push(() => {
    shared.shares--
    if (shared.shares > 0 || all.get(key) !== shared) return
    all.delete(key)
    close?.(shared.value)
  })
  return shared.value
}

function closeCapture(capture: Promise<ChangeSubscription>): void {
  capture.then(
    (subscription) => subscription.close(),
    () => undefined,
  )
}
