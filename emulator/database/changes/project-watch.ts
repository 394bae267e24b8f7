// The subscribers of one project's changes, and the tables captured for them. Updates the capture triggers when subscribers or
// the schema change. Changes that are committed during such an update are delivered afterwards, in order.
import type { Cancel, Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import type { EngineChanges } from '../engine-changes.ts'
import type { ChangeListener, ChangeSubscription, RowChange, WatchedTable } from './row-change.ts'
import {
  decodeWatchedTables,
  describeTables,
  type WantedTables,
  type WatchedTables,
  wantedRelations,
} from './watched-tables.ts'

export interface ProjectWatchDeps {
  readonly schemaName: SchemaName
  readonly changes: EngineChanges
  readonly wallClock: Clock
  /** Called when the last subscriber has gone and no table is captured any more. */
  readonly onEmpty: () => void
}

interface Subscriber {
  readonly wanted: WantedTables
  readonly listener: ChangeListener
  /** True when the subscriber's tables are captured. The subscriber receives changes only while this is true. */
  isLive: boolean
}

// Time that tables stay captured without a subscriber, so that a client can reconnect without new triggers.
const RELEASE_AFTER_MILLIS = 10_000
const NOTHING: WatchedTables = { tables: new Map(), layouts: new Map() }
// Number of earlier layouts to keep: another program can alter a table several times while captured rows wait for delivery.
const MAX_EARLIER_LAYOUTS = 8

type Layouts = WatchedTables['layouts']

export class ProjectWatch {
  readonly #deps: ProjectWatchDeps
  readonly #subscribers = new Set<Subscriber>()
  #watched = NOTHING
  /** The description of the tables from which `#watched` was decoded. */
  #described = ''
  /** The earlier row layouts, the newest first. */
  #earlier: readonly Layouts[] = []
  /** The tables with capture triggers. A schema change empties this list. */
  #captured: WantedTables = new Set()
  /** Settles when all started tasks are done; `undefined` when no task runs. */
  #underWay: Promise<void> | undefined
  #stopRelease: Cancel = () => {}

  constructor(deps: ProjectWatchDeps) {
    this.#deps = deps
  }

  /** Starts capturing the wanted tables. @throws {SqlError} when the engine refuses */
  async subscribe(wanted: WantedTables, listener: ChangeListener): Promise<ChangeSubscription> {
    const subscriber: Subscriber = { wanted, listener, isLive: false }
    this.#subscribers.add(subscriber)
    this.#stopRelease()
    try {
      await this.#enqueue(async () => {
        if (!this.#hasCaptured(wanted)) await this.#capture()
        subscriber.isLive = this.#subscribers.has(subscriber)
      })
    } catch (error) {
      this.#remove(subscriber)
      throw error
    }
    const tables = () => this.#tablesOf(subscriber)
    return {
      get tables() {
        return tables()
      },
      close: () => this.#remove(subscriber),
    }
  }

  /**
   * Calls `decode` with the row layouts, newest first. Calls `decode` at once when no task runs, otherwise after the running
   * tasks. After a schema change, the tables are read again before the call.
   */
  inOrder(
    isSchemaChanged: boolean,
    decode: (layouts: readonly Layouts[]) => void,
  ): Promise<void> | undefined {
    if (!isSchemaChanged && this.#underWay === undefined) {
      decode([this.#watched.layouts, ...this.#earlier])
      return undefined
    }
    return this.#enqueue(async () => {
      if (isSchemaChanged) await this.#follow()
      decode([this.#watched.layouts, ...this.#earlier])
      if (isSchemaChanged)
        for (const each of this.#live()) each.listener.onTablesChanged?.(this.#tablesOf(each))
    })
  }

  /** Names of the tables that are captured for present subscribers. A table without one stays captured for 10 s. */
  get captured(): readonly string[] {
    return [...new Set(this.#live().flatMap((each) => [...this.#tablesOf(each).keys()]))]
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0
  }

  /** Delivers changes to the subscribers of their tables. */
  deliver(changes: readonly RowChange[]): void {
    for (const subscriber of this.#live()) {
      const { wanted, listener } = subscriber
      const wantedChanges =
        wanted === 'all' ? changes : changes.filter(({ table }) => wanted.has(table.name))
      if (wantedChanges.length > 0) listener.onChanges(wantedChanges)
    }
  }

  /** Resolves when the subscribers have judged every change delivered so far. */
  async judged(): Promise<void> {
    await Promise.all(this.#live().map(({ listener }) => listener.judged?.()))
  }

  /** Ends all subscriptions, because changes may have been missed. */
  interrupt(reason: string): void {
    const live = this.#live()
    // Ends only live subscriptions: a subscriber whose tables are not captured yet has missed nothing.
    for (const subscriber of live) this.#subscribers.delete(subscriber)
    // The engine may have lost the capture triggers.
    this.#captured = new Set()
    for (const { listener } of live) listener.onInterrupted(reason)
    this.releaseSoon()
  }

  /** Ends all subscriptions and forgets tables and triggers, because the database was restored to another state. */
  forget(reason: string): void {
    this.interrupt(reason)
    this.#forgetWatched()
  }

  /** Removes unneeded triggers after 10 s. */
  releaseSoon(): void {
    this.#stopRelease()
    this.#stopRelease = this.#deps.wallClock.after(RELEASE_AFTER_MILLIS, () => {
      this.#enqueue(() => this.#release()).then(
        () => this.#subscribers.size === 0 && this.#deps.onEmpty(),
        () => {
          // The engine is closed, or the project was removed. The next change or subscription removes remaining triggers.
        },
      )
    })
  }

  #live(): readonly Subscriber[] {
    return [...this.#subscribers].filter((subscriber) => subscriber.isLive)
  }

  #remove(subscriber: Subscriber): void {
    subscriber.isLive = false
    if (this.#subscribers.delete(subscriber)) this.releaseSoon()
  }

  #tablesOf({ wanted }: Subscriber): ReadonlyMap<string, WatchedTable> {
    const { tables } = this.#watched
    if (wanted === 'all') return tables
    return new Map([...tables].filter(([name]) => wanted.has(name)))
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = (this.#underWay ?? Promise.resolve()).then(task)
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#underWay === settled) this.#underWay = undefined
      })
    this.#underWay = settled
    return done
  }

  #hasCaptured(wanted: WantedTables): boolean {
    const captured = this.#captured
    if (captured === 'all') return true
    return wanted !== 'all' && [...wanted].every((name) => captured.has(name))
  }

  async #follow(): Promise<void> {
    this.#captured = new Set()
    if (this.#subscribers.size === 0) return this.#replaceWatched(NOTHING, '')
    try {
      await this.#capture()
    } catch (error) {
      this.#replaceWatched(NOTHING, '')
      this.interrupt(error instanceof Error ? error.message : String(error))
    }
  }

  async #release(): Promise<void> {
    if (this.#subscribers.size > 0) return await this.#capture()
    await this.#deps.changes.release(this.#deps.schemaName)
    this.#captured = new Set()
    this.#forgetWatched()
  }

  #replaceWatched(watched: WatchedTables, described: string): void {
    const { layouts } = this.#watched
    if (layouts.size > 0) this.#earlier = [layouts, ...this.#earlier].slice(0, MAX_EARLIER_LAYOUTS)
    this.#watched = watched
    this.#described = described
  }

  #forgetWatched(): void {
    this.#watched = NOTHING
    this.#described = ''
    this.#earlier = []
  }

  // Captures every table that at least one subscriber wants.
  async #capture(): Promise<void> {
    const { schemaName, changes } = this.#deps
    const wanted = unionOf([...this.#subscribers].map((subscriber) => subscriber.wanted))
    const relations = wantedRelations(schemaName, wanted)
    const described =
      (await changes.capture(schemaName, relations, describeTables(relations))) ?? '{}'
    if (described !== this.#described)
      this.#replaceWatched(decodeWatchedTables(schemaName, described), described)
    this.#captured = wanted
  }
}

function unionOf(all: readonly WantedTables[]): WantedTables {
  const names = new Set<string>()
  for (const wanted of all) {
    if (wanted === 'all') return 'all'
    for (const name of wanted) names.add(name)
  }
  return names
}
