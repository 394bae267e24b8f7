// The captured tables of a project. Each table is captured once for all of its subscribers.
import type { SchemaName } from '../../../core/names.ts'
import type {
  ChangeListener,
  ChangeSource,
  ChangeSubscription,
  WatchedTable,
} from '../../../database/changes/row-change.ts'

/** The name of a table, or `*` for all tables. */
export type CapturedName = string

export const ALL_TABLES: CapturedName = '*'

/** A share of a capture, held by one subscriber. Release it exactly once. */
export interface CaptureShare {
  /** The tables by name, as they currently are. Tables that do not exist are missing. */
  readonly tables: ReadonlyMap<string, WatchedTable>
  release(): void
}

interface Capture {
  readonly subscription: Promise<ChangeSubscription>
  shares: number
}

export class CapturedTables {
  readonly #source: ChangeSource
  readonly #schemaName: SchemaName
  readonly #listener: ChangeListener
  readonly #captures = new Map<CapturedName, Capture>()

  constructor(source: ChangeSource, schemaName: SchemaName, listener: ChangeListener) {
    this.#source = source
    this.#schemaName = schemaName
    this.#listener = listener
  }

  get isEmpty(): boolean {
    return this.#captures.size === 0
  }

  /**
   * Opens or shares a capture. It reports every change committed after the promise resolves. @throws {SqlError} when the engine
   * refuses
   */
  async share(name: CapturedName): Promise<CaptureShare> {
    const capture = this.#captures.get(name) ?? this.#open(name)
    capture.shares++
    const release = (): void => {
      capture.shares--
      if (capture.shares > 0 || this.#captures.get(name) !== capture) return
      this.#captures.delete(name)
      capture.subscription.then(
        (subscription) => subscription.close(),
        () => undefined,
      )
    }
    try {
      const subscription = await capture.subscription
      return {
        get tables() {
          return subscription.tables
        },
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Called when the source has ended all captures. */
  forgetAll(): void {
    this.#captures.clear()
  }

  #open(name: CapturedName): Capture {
    const wanted = name === ALL_TABLES ? 'all' : new Set([name])
    const subscription = this.#source.subscribe(this.#schemaName, wanted, this.#listener)
    const capture = { subscription, shares: 0 }
    this.#captures.set(name, capture)
    return capture
  }
}
