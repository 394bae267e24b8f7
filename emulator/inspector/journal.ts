// The journal: every finished request as a row of SQLite, newest kept, oldest dropped. Entries gather in memory and are
// written a few times a second, never while a request waits.

import type { JournalEntry, JournalFacets } from '../contract/journal.ts'
import type { Cancel, Clock } from '../core/clock.ts'
import type { Observation, RequestFinished } from '../core/observation.ts'
import { type EpochMillis, toIso } from '../core/time.ts'
import { openSystemDb, type SystemDb } from '../database/system-db.ts'
import type { MigrationSet } from '../database/system-schema.ts'
import { conditionOf, type JournalConditions } from './journal-filter.ts'

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
    'alter table journal add column fault text',
    'alter table journal add column schema_is_claimed integer not null default 0',
  ],
}

export interface JournalOptions {
  /** Path of its own file; `undefined` keeps it in memory. */
  readonly file: string | undefined
  /** Entries kept. */
  readonly capacity: number
  readonly wallClock: Clock
  /** Whether requests of the emulator's own API are entered, too. */
  readonly keepsOwnRequests?: boolean
}

export interface JournalFilter extends JournalConditions {
  /** Entries given, newest first. */
  readonly limit: number
}

/** A finished request with its place in the journal. */
export interface NumberedRequest {
  readonly sequence: number
  readonly finished: RequestFinished
}

export interface Journal {
  /** An `Observer`: remembers finished requests. */
  observe(observation: Observation): void
  /** Tells of each request that is entered, at once. */
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

export function openJournal(options: JournalOptions): Journal {
  // The journal may lose its last moments in a power cut; its file never breaks.
  const db = openSystemDb({
    file: options.file,
    migrations: [JOURNAL_MIGRATIONS],
    durability: 'normal',
  })
  const write = writer(db, options.capacity)
  const listeners: ((request: NumberedRequest) => void)[] = []
  let sequence = lastSequence(db)
  let pending: NumberedRequest[] = []
  let scheduled: Cancel | undefined

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    if (pending.length === 0) return
    const batch = pending
    pending = []
    write(batch)
  }

  function enter(finished: RequestFinished): void {
    sequence += 1
    const request = { sequence, finished }
    for (const listener of listeners) listener(request)
    if (options.capacity === 0) return
    pending.push(request)
    if (pending.length >= WRITE_BATCH) flush()
    else scheduled ??= options.wallClock.after(WRITE_DELAY_MILLIS, flush)
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
    read: (filter) => {
      flush()
      return readEntries(db, filter)
    },
    facets: (conditions) => {
      flush()
      return countFacets(db, conditions)
    },
    lastRequests: () => {
      flush()
      return readLastRequests(db)
    },
    clear: () => {
      flush()
      db.prepare('delete from journal').run()
    },
    close: () => {
      flush()
      db.close()
    },
  }
}

/** The entry as the wire tells it. */
export function entryOf({ sequence, finished }: NumberedRequest): JournalEntry {
  const { facts } = finished
  return {
    sequence,
    request_id: finished.requestId,
    service: finished.service,
    method: finished.method,
    target: finished.target,
    status: finished.status,
    received_at: toIso(finished.receivedAt),
    duration_ms: finished.durationMillis,
    schema_name: facts.schemaName ?? null,
    schema_is_claimed: facts.isSchemaClaimed === true,
    group_id: facts.groupId ?? null,
    role: facts.role ?? null,
    subject: facts.subject ?? null,
    credential_kind: facts.credentialKind ?? null,
    statement: facts.statement ?? null,
    row_count: facts.rowCount ?? null,
    error_code: finished.errorCode ?? null,
    error_message: finished.errorMessage ?? null,
    fault: facts.fault ?? null,
  }
}

function lastSequence(db: SystemDb): number {
  const last = db.prepare<[], { seq: number }>(
    "select seq from sqlite_sequence where name = 'journal'",
  )
  return last.get()?.seq ?? 0
}

const COLUMNS = [
  'sequence',
  'request_id',
  'service',
  'method',
  'target',
  'status',
  'received_at',
  'duration_ms',
  'schema_name',
  'group_id',
  'role',
  'subject',
  'credential_kind',
  'statement',
  'row_count',
  'error_code',
  'error_message',
  'fault',
  'schema_is_claimed',
] as const satisfies readonly (keyof JournalEntry)[]

function writer(db: SystemDb, capacity: number): (batch: readonly NumberedRequest[]) => void {
  const insert = db.prepare<(string | number | null)[]>(
    `insert into journal (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
  )
  const trim = db.prepare<[number]>(
    'delete from journal where sequence <= (select max(sequence) from journal) - ?',
  )
  return (batch) =>
    db.transaction(() => {
      for (const request of batch) insert.run(...rowOf(request))
      trim.run(capacity)
    })
}

function rowOf({ sequence, finished }: NumberedRequest): (string | number | null)[] {
  const { facts, ...entry } = finished
  return [
    sequence,
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
    facts.fault ?? null,
    facts.isSchemaClaimed === true ? 1 : 0,
  ]
}

type StoredRow = Omit<JournalEntry, 'received_at' | 'schema_is_claimed'> & {
  readonly received_at: EpochMillis
  readonly schema_is_claimed: number
}

function readEntries(
  db: SystemDb,
  { limit, ...conditions }: JournalFilter,
): readonly JournalEntry[] {
  const { text, params } = conditionOf(conditions)
  return db
    .prepare<(string | number)[], StoredRow>(
      `select * from journal where ${text} order by sequence desc limit ?`,
    )
    .all(...params, limit)
    .map((row) => ({
      ...row,
      received_at: toIso(row.received_at),
      schema_is_claimed: row.schema_is_claimed === 1,
    }))
}

interface CountedRow {
  readonly service: string
  readonly method: string
  readonly status_class: number
  readonly role: string | null
  readonly schema_name: string | null
  readonly count: number
}

function countFacets(db: SystemDb, conditions: JournalConditions): JournalFacets {
  const { text, params } = conditionOf(conditions)
  const rows = db
    .prepare<(string | number)[], CountedRow>(
      `select service, method, status / 100 as status_class, role, schema_name, count(*) as count
       from journal where ${text}
       group by 1, 2, 3, 4, 5`,
    )
    .all(...params)
  const countBy = (nameOf: (row: CountedRow) => string | null): Record<string, number> => {
    const counts = new Map<string, number>()
    for (const row of rows) {
      const name = nameOf(row)
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + row.count)
    }
    return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))
  }
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    services: countBy((row) => row.service),
    methods: countBy((row) => row.method),
    statuses: countBy((row) => `${row.status_class}xx`),
    roles: countBy((row) => row.role),
    schemas: countBy((row) => row.schema_name),
  }
}

function readLastRequests(db: SystemDb): ReadonlyMap<string, EpochMillis> {
  const rows = db
    .prepare<[], { schema_name: string; at: EpochMillis }>(
      `select schema_name, max(received_at) as at from journal
       where schema_name is not null and schema_is_claimed = 0 group by schema_name`,
    )
    .all()
  return new Map(rows.map(({ schema_name: name, at }) => [name, at]))
}
