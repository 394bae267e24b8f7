// The journal keeps the newest finished requests as rows of SQLite. The journal collects entries in memory and writes them a
// few times per second, never while a request waits. While writes fail, the newest entries stay in memory.

import type { AccessChain } from '../../contract/explain.ts'
import type { JournalEntry, JournalFacets } from '../../contract/journal.ts'
import { createBackground } from '../../core/background.ts'
import type { Cancel, Clock } from '../../core/clock.ts'
import type { Observation, Observer, RequestFinished } from '../../core/observation.ts'
import { type EpochMillis, plusMillis } from '../../core/time.ts'
import { openSystemDb } from '../../database/system-db/system-db.ts'
import type { CauseQuestion, JournalCauses, ServiceTotals, SucceededRows } from './cause-rows.ts'
import { type ExplainedEntry, openExplanationRows } from './explanation-rows.ts'
import type { JournalConditions, Source } from './journal-filter.ts'
import {
  JOURNAL_MIGRATIONS,
  type JournalFilter,
  type JournalRows,
  type NumberedRequest,
  openJournalRows,
} from './journal-rows.ts'
import type { MeasuredRequest } from './measure-routes.ts'

export interface JournalOptions {
  /** Path of the journal's file. `undefined` stores the journal in memory. */
  readonly file: string | undefined
  /** Number of entries to keep. The value 0 turns the journal off. */
  readonly capacity: number
  readonly wallClock: Clock
  /** Receives an observation when writes begin to fail, and when writes succeed again. */
  readonly report: Observer
  /** Whether the journal also records requests to the emulator's own API. */
  readonly keepsOwnRequests?: boolean
}

export interface Journal {
  /** An observer (`Observer`) that records finished requests. */
  observe(observation: Observation): void
  /** Calls the listener for each request as soon as it is recorded. */
  listen(listener: (request: NumberedRequest) => void): void
  /** Reads entries, including unwritten entries. */
  read(filter: JournalFilter): readonly JournalEntry[]
  /** Counts entries by service, method, status class, role and schema. */
  facets(conditions: JournalConditions): JournalFacets
  /** Reads from all entries the columns that measuring routes needs. */
  measured(conditions: JournalConditions): readonly MeasuredRequest[]
  /** Returns the time of each project's last request with a verified credential, by schema name. */
  lastRequests(): ReadonlyMap<string, EpochMillis>
  /** Whether the journal is at its capacity. It may then have dropped older entries. */
  isFull(): boolean
  /** Counts the requests of applications by service. */
  totals(): readonly ServiceTotals[]
  /** Counts the requests of applications, and groups those that failed, were slow or met a fault. */
  causes(question: CauseQuestion): JournalCauses
  /** Returns the last success of each route and project after an instant of the wall clock. */
  successes(after: EpochMillis): readonly SucceededRows[]
  /** Keeps the explanation of a refused request as long as its entry. @throws SQLite's error */
  keepExplanation(entry: ExplainedEntry, explanation: AccessChain): void
  /** Calls the listener with each explanation as soon as it is known, also when the journal keeps no entries. */
  listenExplanations(listener: (explanation: AccessChain) => void): void
  /** Finds the explanation of a refusal, which describes the state at the time of the request. */
  findExplanation(entry: ExplainedEntry): AccessChain | undefined
  /** Deletes all entries and explanations. Sequence numbers continue. */
  clear(): void
  /** Adds entries that another emulator recorded, in their order, with new sequence numbers. */
  adopt(entries: readonly JournalEntry[]): void
  /** Writes pending entries and closes the file. */
  close(): void
}

/** Wall-clock milliseconds that an entry waits for its write. */
const WRITE_DELAY_MILLIS = 250
/** Number of pending entries at which the journal writes immediately. A write of 100 entries takes 1 ms (measured). */
const WRITE_BATCH = 100
/**
 * Wall-clock milliseconds without a write after which the journal writes a checkpoint. A checkpoint flushes two files to disk,
 * and requests wait meanwhile.
 */
const CHECKPOINT_AFTER_MILLIS = 2_000
/** Pages of 4 KiB in the write-ahead log that force a checkpoint: 32 MB, which 100 requests a second fill in 50 seconds. */
const CHECKPOINT_PAGES = 8_000
/** Wall-clock milliseconds until the journal retries a failed write. */
const RETRY_MILLIS = 2_000
/** Maximum number of entries in memory while writes fail, about 2 MB. The journal drops the oldest entries. */
const MAX_UNWRITTEN = 2_000

export function openJournal(options: JournalOptions): Journal {
  // A power cut can lose the last entries but never damages the file.
  const db = openSystemDb({
    file: options.file,
    migrations: [JOURNAL_MIGRATIONS],
    durability: 'normal',
    checkpointPages: CHECKPOINT_PAGES,
  })
  const rows = openJournalRows(db, options.capacity)
  const explanations = openExplanationRows(db)
  const queue = createWriteQueue(rows, () => db.checkpoint(), options)
  const listeners: ((request: NumberedRequest) => void)[] = []
  const explained: ((explanation: AccessChain) => void)[] = []
  let sequence = rows.lastSequence()

  function enter(finished: RequestFinished): void {
    sequence += 1
    const arrivedAt = plusMillis(options.wallClock.now(), -Math.round(finished.durationMillis))
    const request = { sequence, arrivedAt, finished }
    for (const listener of listeners) listener(request)
    if (options.capacity > 0) queue.push(request)
  }

  return {
    observe: (observation) => {
      if (observation.kind !== 'requestFinished') return
      if (observation.service !== 'inspector' || options.keepsOwnRequests === true)
        enter(observation)
    },
    listen: (listener) => {
      listeners.push(listener)
    },
    read: (filter) => queue.readAll((source) => rows.read(source, filter)),
    facets: (conditions) => queue.readAll((source) => rows.countFacets(source, conditions)),
    measured: (conditions) => queue.readAll((source) => rows.measured(source, conditions)),
    lastRequests: () => queue.readAll((source) => rows.lastRequests(source)),
    isFull: () => rows.isFull(),
    totals: () => queue.readAll((source) => rows.totals(source)),
    causes: (question) => queue.readAll((source) => rows.causes(source, question)),
    successes: (after) => queue.readAll((source) => rows.successes(source, after)),
    keepExplanation: (entry, explanation) => {
      for (const listener of explained) listener(explanation)
      if (options.capacity > 0) explanations.keep(entry, explanation)
    },
    listenExplanations: (listener) => {
      explained.push(listener)
    },
    findExplanation: (entry) => explanations.find(entry),
    clear: () => {
      queue.flush()
      rows.clear()
      explanations.clear()
      queue.drop()
    },
    adopt: (entries) => {
      queue.flush()
      const first = sequence + 1
      sequence += entries.length
      rows.adopt(entries.map((entry, at) => ({ ...entry, sequence: first + at })))
    },
    close: () => {
      queue.flush()
      queue.stop()
      db.close()
    },
  }
}

interface WriteQueue {
  push(request: NumberedRequest): void
  /** Writes pending entries. */
  flush(): void
  /** Reads entries, including those that could not be written. */
  readAll<Result>(work: (source: Source) => Result): Result
  /** Drops pending entries. */
  drop(): void
  /** Cancels the scheduled write and checkpoint. */
  stop(): void
}

function createWriteQueue(
  rows: JournalRows,
  checkpoint: () => void,
  { wallClock, report }: Pick<JournalOptions, 'wallClock' | 'report'>,
): WriteQueue {
  const background = createBackground('write the journal', report)
  let pending: NumberedRequest[] = []
  let scheduled: Cancel | undefined
  let stopCheckpoint: Cancel | undefined
  let isFailing = false

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    if (pending.length === 0) return
    const batch = isFailing ? pending.slice(-MAX_UNWRITTEN) : pending
    isFailing = !background.run(() => rows.write(batch))
    pending = isFailing ? batch.slice(-MAX_UNWRITTEN) : []
    stopCheckpoint?.()
    if (isFailing) schedule(RETRY_MILLIS)
    else stopCheckpoint = wallClock.after(CHECKPOINT_AFTER_MILLIS, () => background.run(checkpoint))
  }

  function schedule(delayMillis: number): void {
    scheduled ??= wallClock.after(delayMillis, flush)
  }

  return {
    push: (request) => {
      pending.push(request)
      if (isFailing) {
        if (pending.length > 2 * MAX_UNWRITTEN) pending = pending.slice(-MAX_UNWRITTEN)
        schedule(RETRY_MILLIS)
      } else if (pending.length >= WRITE_BATCH) flush()
      else schedule(WRITE_DELAY_MILLIS)
    },
    flush,
    readAll: (work) => {
      flush()
      return isFailing ? rows.withUnwritten(pending, work) : work('main.journal')
    },
    drop: () => {
      pending = []
    },
    stop: () => {
      scheduled?.()
      stopCheckpoint?.()
    },
  }
}
