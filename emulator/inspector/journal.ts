// The journal: every finished request as a row of SQLite, newest kept, oldest dropped. Entries gather in memory and are
// written a few times a second, never while a request waits.

import type { JournalEntry } from '../contract/journal.ts'
import type { Cancel, Clock } from '../core/clock.ts'
import type { Observation, RequestFinished } from '../core/observation.ts'
import { type EpochMillis, toIso } from '../core/time.ts'
import { openSystemDb, type SystemDb } from '../database/system-db.ts'
import type { MigrationSet } from '../database/system-schema.ts'

const JOURNAL_MIGRATIONS: MigrationSet = {
  layer: 'journal',
  steps: [
    `
    create table journal (
      sequence integer primary key autoincrement,
      request_id text not null,
      service text not null,
      method text not null,
      target text not null,
      status integer not null,
      received_at integer not null,
      duration_ms real not null,
      schema_name text,
      group_id text,
      role text,
      subject text,
      credential_kind text,
      statement text,
      row_count integer,
      error_code text,
      error_message text
    ) strict;
    create index journal_by_request on journal (request_id);
    `,
  ],
}

export interface JournalOptions {
  /** Path of its own file; `undefined` keeps it in memory. */
  readonly file: string | undefined
  /** Entries kept. */
  readonly capacity: number
  readonly wallClock: Clock
}

export interface JournalFilter {
  /** Entries given, newest first. */
  readonly limit: number
  /** Only entries older than this sequence number. */
  readonly before?: number
  readonly requestId?: string
  readonly schemaName?: string
}

export interface Journal {
  /** An `Observer`: remembers finished requests. */
  observe(observation: Observation): void
  /** Reads back, what is still unwritten included. */
  read(filter: JournalFilter): readonly JournalEntry[]
  /** Writes out what is pending and closes the file. */
  close(): void
}

/** Wall milliseconds between an entry's arrival and its writing. */
const WRITE_DELAY_MILLIS = 250
/** More than this many waiting entries are written at once. */
const WRITE_BATCH = 500

export function openJournal(options: JournalOptions): Journal {
  // The journal may lose its last moments in a power cut; its file never breaks.
  const db = openSystemDb({
    file: options.file,
    migrations: [JOURNAL_MIGRATIONS],
    durability: 'normal',
  })
  const write = writer(db, options.capacity)
  const read = reader(db)
  let pending: RequestFinished[] = []
  let scheduled: Cancel | undefined

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    if (pending.length === 0) return
    const batch = pending
    pending = []
    write(batch)
  }

  return {
    observe: (observation) => {
      if (observation.kind !== 'requestFinished' || options.capacity === 0) return
      pending.push(observation)
      if (pending.length >= WRITE_BATCH) flush()
      else scheduled ??= options.wallClock.after(WRITE_DELAY_MILLIS, flush)
    },
    read: (filter) => {
      flush()
      return read(filter)
    },
    close: () => {
      flush()
      db.close()
    },
  }
}

type RowParams = [
  string,
  string,
  string,
  string,
  number,
  number,
  number,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  number | null,
  string | null,
  string | null,
]

function writer(db: SystemDb, capacity: number): (batch: readonly RequestFinished[]) => void {
  const insert = db.prepare<RowParams>(
    `insert into journal (request_id, service, method, target, status, received_at, duration_ms, schema_name, group_id,
       role, subject, credential_kind, statement, row_count, error_code, error_message)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const trim = db.prepare<[number]>(
    'delete from journal where sequence <= (select max(sequence) from journal) - ?',
  )
  return (batch) =>
    db.transaction(() => {
      for (const entry of batch) insert.run(...rowOf(entry))
      trim.run(capacity)
    })
}

function rowOf({ facts, ...entry }: RequestFinished): RowParams {
  return [
    entry.requestId,
    entry.service,
    entry.method,
    entry.target,
    entry.status,
    entry.receivedAt,
    entry.durationMillis,
    facts.schemaName ?? null,
    facts.groupId ?? null,
    facts.role ?? null,
    facts.subject ?? null,
    facts.credentialKind ?? null,
    facts.statement ?? null,
    facts.rowCount ?? null,
    entry.errorCode ?? null,
    entry.errorMessage ?? null,
  ]
}

type StoredRow = Omit<JournalEntry, 'received_at'> & { readonly received_at: number }

function reader(db: SystemDb): (filter: JournalFilter) => readonly JournalEntry[] {
  const select = db.prepare<
    [
      number | null,
      number | null,
      string | null,
      string | null,
      string | null,
      string | null,
      number,
    ],
    StoredRow
  >(
    `select * from journal
     where (? is null or sequence < ?) and (? is null or request_id = ?) and (? is null or schema_name = ?)
     order by sequence desc
     limit ?`,
  )
  return ({ limit, before = null, requestId = null, schemaName = null }) =>
    select
      .all(before, before, requestId, requestId, schemaName, schemaName, limit)
      .map((row) => ({ ...row, received_at: toIso(row.received_at as EpochMillis) }))
}
