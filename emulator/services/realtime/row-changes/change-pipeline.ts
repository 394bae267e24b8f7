// Delivers the row changes of one project to its subscribers: match, judge, send. The pipeline handles one batch at a time, in
// commit order. Changes that are committed meanwhile form the next batch.
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Observer } from '../../../core/observation.ts'
import { toEpochSeconds } from '../../../core/time.ts'
import type {
  ChangeListener,
  ChangeSource,
  RowChange,
} from '../../../database/changes/row-change.ts'
import type { Engine } from '../../../database/engine.ts'
import { CountingWindow, type RealtimeLimits } from '../limits.ts'
import type { ChangeChannel } from './change-subscriptions.ts'
import { ChangeFrames } from './deliver/deliver-change.ts'
import { changeJudged, isTold, type Outcome } from './deliver/report-verdicts.ts'
import { type Judgement, judgeOncePerIdentity } from './judge/judge-once-per-identity.ts'
import type { ChangeJudge } from './judge/verdict.ts'
import { type MatchedChange, matchChanges } from './match/match-changes.ts'
import { SubscriptionError } from './subscribe/change-request.ts'
import type { Subscriber } from './subscribe/subscriber.ts'
import { type NumberedRequest, SubscriberRegistry } from './subscribe/subscriber-registry.ts'

export interface ChangePipelineDeps {
  readonly engine: Engine
  readonly source: ChangeSource
  readonly judge: ChangeJudge
  readonly limits: Pick<RealtimeLimits, 'changesPerSecond'>
  /** Clock of platform time, which decides whether a token has expired. */
  readonly clock: Clock
  readonly wallClock: Clock
  readonly observe: Observer
}

/** Maximum changes in a batch, to limit the size of one request to the engine. */
const MAX_BATCH = 500

export class ChangePipeline implements ChangeListener {
  readonly #deps: ChangePipelineDeps
  readonly #subscribers: SubscriberRegistry
  readonly #rate = new CountingWindow()
  #pending: RowChange[] = []
  #isBusy = false
  /** Replaced subscribers that still have changes to be delivered. */
  #retiring: Subscriber[] = []
  #lastNumber = 0
  /** Callers that wait, each until the change with this number is judged. */
  #waiting: { readonly number: number; readonly resolve: () => void }[] = []

  constructor(schemaName: SchemaName, deps: ChangePipelineDeps) {
    this.#deps = deps
    this.#subscribers = new SubscriberRegistry(schemaName, deps, this)
  }

  get isEmpty(): boolean {
    return this.#subscribers.isEmpty
  }

  /**
   * Prepares a subscriber. The caller must then call `enter` or `leave`.
   * @throws {SubscriptionError} when a request is refused
   * @throws {SqlError} when the engine is busy or not running
   */
  prepare(channel: ChangeChannel, requests: readonly NumberedRequest[]): Promise<Subscriber> {
    return this.#subscribers.prepare(channel, channel.token, requests)
  }

  /**
   * Delivers changes to `subscriber` instead of `predecessor`, starting with the next commit. No change is lost, and no change
   * is delivered twice.
   */
  enter(subscriber: Subscriber, predecessor: Subscriber | undefined): void {
    subscriber.since = this.#lastNumber
    this.#subscribers.add(subscriber)
    if (predecessor === undefined) return
    predecessor.until = this.#lastNumber
    this.#retiring.push(predecessor)
    if (!this.#isBusy) this.#retire(this.#lastNumber)
  }

  /** Stops deliveries to the subscriber. */
  leave(subscriber: Subscriber): void {
    subscriber.until = Number.NEGATIVE_INFINITY
    this.#subscribers.remove(subscriber)
  }

  onChanges(changes: readonly RowChange[]): void {
    for (const change of changes) {
      this.#pending.push(change)
      this.#lastNumber = Math.max(this.#lastNumber, change.number)
    }
    if (this.#isBusy) return
    this.#isBusy = true
    // Each table's capture reports its changes separately. The pipeline waits for all reports, to make one batch.
    Promise.resolve()
      .then(() => this.#drain())
      .catch((error: unknown) => this.#giveUp(error))
  }

  judged(): Promise<void> | undefined {
    if (!this.#isBusy) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ number: this.#lastNumber, resolve })
    return promise
  }

  onInterrupted(reason: string): void {
    this.#pending = []
    for (const { channel } of this.#subscribers.clear()) channel.fail(`${INTERRUPTED}: ${reason}`)
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const ordered = inOrder(this.#pending)
        const batch = ordered.slice(0, MAX_BATCH)
        this.#pending = ordered.slice(MAX_BATCH)
        await this.#pass(batch)
        const passed = batch.at(-1)?.number ?? 0
        this.#retire(passed)
        this.#release(passed)
      }
    } finally {
      this.#isBusy = false
      this.#release(Number.POSITIVE_INFINITY)
    }
  }

  #release(passed: number): void {
    const released = this.#waiting.filter(({ number }) => number <= passed)
    this.#waiting = this.#waiting.filter(({ number }) => number > passed)
    for (const { resolve } of released) resolve()
  }

  async #pass(changes: readonly RowChange[]): Promise<void> {
    const { engine, judge } = this.#deps
    await this.#bindToTablesOf(changes)
    const matched = await matchChanges(engine, changes, ({ table }) =>
      this.#subscribers.bindingsOf(table),
    )
    const judgements = await judgeOncePerIdentity(judge, matched)
    for (const each of matched) this.#deliver(each, judgements.get(each.change))
  }

  // A schema change creates new table objects. Subscribers whose table or columns were removed get an error.
  async #bindToTablesOf(changes: readonly RowChange[]): Promise<void> {
    for (const table of new Set(changes.map((change) => change.table)))
      for (const binding of this.#subscribers.bindingsOf(table)) {
        if (binding.isBoundTo(table)) continue
        try {
          await binding.bindTo(table)
        } catch (error) {
          if (!(error instanceof SubscriptionError)) throw error
          for (const { channel } of binding.subscribers) channel.tell('error', error.message)
        }
      }
  }

  #deliver(matched: MatchedChange, judgement: Judgement | undefined): void {
    const { wantedBy, subscribers, change } = matched
    const { clock, limits, wallClock } = this.#deps
    const now = toEpochSeconds(clock.now())
    const isAdmitted =
      judgement === undefined || this.#rate.admitsRate(wallClock.now(), limits.changesPerSecond)
    const outcomeFor = (subscriber: Subscriber): Outcome => {
      if (!subscriber.wantsOneOf(wantedBy)) return { kind: 'filtered' }
      const verdict = judgement?.verdictFor(subscriber) ?? NOT_ASKED
      if (!isTold(verdict)) return verdict
      // The token has expired, so the channel closes after it has sent its queued frames.
      if (now >= subscriber.channel.token.expiresAt) return { kind: 'tokenExpired' }
      return isAdmitted ? verdict : { kind: 'rateLimited' }
    }
    if (judgement !== undefined) {
      const frames = new ChangeFrames(judgement.judged, wantedBy)
      for (const subscriber of subscribers)
        if (subscriber.owns(change) && isTold(outcomeFor(subscriber))) frames.deliverTo(subscriber)
    }
    const latencyMillis = wallClock.now() - change.committedWallAt
    this.#deps.observe(changeJudged(matched, outcomeFor, latencyMillis))
  }

  #retire(passed: number): void {
    const isDone = ({ until }: Subscriber) => until <= passed
    for (const subscriber of this.#retiring.filter(isDone)) this.#subscribers.remove(subscriber)
    this.#retiring = this.#retiring.filter((subscriber) => !isDone(subscriber))
  }

  // Drops the pending changes, because only the engine can decide which subscribers may see a change.
  #giveUp(error: unknown): void {
    this.#deps.observe({ kind: 'internalFailure', requestId: 'realtime', error })
    this.onInterrupted(error instanceof Error ? error.message : String(error))
  }
}

const INTERRUPTED = 'Changes may have been missed, subscribe again'
const NOT_ASKED: Outcome = { kind: 'hidden', policies: [] }

function inOrder(changes: readonly RowChange[]): RowChange[] {
  const sorted = [...changes].sort((one, other) => one.number - other.number)
  return sorted.filter(({ number }, index) => number !== sorted[index - 1]?.number)
}
