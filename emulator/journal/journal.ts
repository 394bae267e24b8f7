// The journal: every finished request as a row of SQLite, newest kept, oldest dropped. Entries gather in memory and are
// written a few times a second, never while a request waits. While the disk takes none, the newest stay in memory.

import type { JournalEntry, JournalFacets } from '../contract/journal.ts'
import { createBackground } from '../core/background.ts'
import type { Cancel, Clock } from '../core/clock.ts'
import type { Observation, Observer, RequestFinished } from '../core/observation.ts'
import type { EpochMillis } from '../core/time.ts'
import { openSystemDb } from '../database/system-db/system-db.ts'
import type { JournalConditions } from './journal-filter.ts'
import {
  JOURNAL_MIGRATIONS,
  type JournalFilter,
  type JournalRows,
  type NumberedRequest,
  openJournalRows,
  type Source,
} from './journal-rows.ts'

export interface JournalOptions {
  /** Path of its own file; `undefined` keeps it in memory. */
  readonly file: string | undefined
  /** Entries kept. */
  readonly capacity: number
  readonly wallClock: Clock
  /** Told when entries cannot be written, and when they can again. */
  readonly report: Observer
  /** Whether requests of the emulator's own API are entered, too. */
  readonly keepsOwnRequests?: boolean
}

export interface Journal {
  /** An `Observer`: remembers finished requests. */
  observe(observation: Observation): void
  /** Calls back for each request as soon as it is entered. */
  listen(listener: (request: NumberedRequest) => void): void
  /** Reads back, what is still unwritten included. */
  read(filter: JournalFilter): readonly JournalEntry[]
  /** Counts what there is of each kind. */
  facets(conditions: JournalConditions): JournalFacets
  /** When each project was last asked for something, by schema name; with a credential that was verified. */
  lastRequests(): ReadonlyMap<string, EpochMillis>
  /** Forgets everything; numbers go on rising. */
  clear(): void
  /** Writes out what is pending and closes the file. */
  close(): void
}

/** Wall milliseconds between an entry's arrival and its writing. */
const WRITE_DELAY_MILLIS = 250
/** More than this many waiting entries are written at once. */
const WRITE_BATCH = 500
/** Wall milliseconds until a write that failed is tried again. */
const RETRY_MILLIS = 2_000
/** Unwritten entries kept while the disk takes none: about 2 MB. The oldest are dropped. */
const MAX_UNWRITTEN = 2_000

export function openJournal(options: JournalOptions): Journal {
  // The journal may lose its last moments in a power cut; its file never breaks.
  const db = openSystemDb({
    file: options.file,
    migrations: [JOURNAL_MIGRATIONS],
    durability: 'normal',
  })
  const rows = openJournalRows(db, options.capacity)
  const queue = createWriteQueue(rows, options)
  const listeners: ((request: NumberedRequest) => void)[] = []
  let sequence = rows.lastSequence()

  function enter(finished: RequestFinished): void {
    sequence += 1
    const request = { sequence, finished }
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
    lastRequests: () => queue.readAll((source) => rows.lastRequests(source)),
    clear: () => {
      queue.flush()
      rows.clear()
      queue.drop()
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
  /** Writes what waits. */
  flush(): void
  /** Reads entries, those included that the disk did not take. */
  readAll<Result>(work: (source: Source) => Result): Result
  /** Forgets what waits. */
  drop(): void
  /** Schedules no further write. */
  stop(): void
}

function createWriteQueue(
  rows: JournalRows,
  { wallClock, report }: Pick<JournalOptions, 'wallClock' | 'report'>,
): WriteQueue {
  const background = createBackground('write the journal', report)
  let pending: NumberedRequest[] = []
  let scheduled: Cancel | undefined
  let isFailing = false

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    if (pending.length === 0) return
    const batch = isFailing ? pending.slice(-MAX_UNWRITTEN) : pending
    isFailing = !background.run(() => rows.write(batch))
    pending = isFailing ? batch.slice(-MAX_UNWRITTEN) : []
    if (isFailing) schedule(RETRY_MILLIS)
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
    stop: () => scheduled?.(),
  }
}
