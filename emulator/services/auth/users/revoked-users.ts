// Lists deleted and banned users, whose tokens are refused before they expire (docs/wire/credentials.md#data-plane-token). The
// list is in the platform database and also in memory, because every request checks it.

import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import type { MigrationSet } from '../../../database/system-db/system-schema.ts'
import type { UserStandings } from '../../../platform/credentials/standing.ts'

export interface RevokedUsers extends UserStandings {
  delete(schemaName: SchemaName, userId: string): void
  /** Bans a user. @param until platform time at which the ban ends; `undefined` lifts the ban now */
  ban(schemaName: SchemaName, userId: string, until: EpochMillis | undefined): void
  /**
   * Runs changes of one user's ban one after another. Therefore simultaneous requests leave the same ban in the tenant's tables
   * and in this list.
   */
  inTurn<Result>(
    schemaName: SchemaName,
    userId: string,
    change: () => Promise<Result>,
  ): Promise<Result>
  /** Deletes all entries of a purged project. */
  erase(schemaName: SchemaName): void
}

interface RevokedRow {
  readonly schema_name: string
  readonly user_id: string
  readonly banned_until: number | null
}

type Departure = EpochMillis | 'deleted'

export function openRevokedUsers(
  db: SystemDb,
  { clock }: { readonly clock: Clock },
): RevokedUsers & { readonly readAgain: () => void } {
  const all = db.prepare<[], RevokedRow>(
    'select schema_name, user_id, banned_until from departed_users',
  )
  const keep = db.prepare<[string, string, number | null]>(
    `insert into departed_users (schema_name, user_id, banned_until) values (?, ?, ?)
     on conflict do update set banned_until = excluded.banned_until`,
  )
  const forget = db.prepare<[string, string]>(
    'delete from departed_users where schema_name = ? and user_id = ?',
  )
  const forgetAll = db.prepare<[string]>('delete from departed_users where schema_name = ?')
  const known = new Map<string, Map<string, Departure>>()

  function note(schemaName: string, userId: string, departure: Departure): void {
    const users = known.get(schemaName) ?? new Map<string, Departure>()
    known.set(schemaName, users.set(userId, departure))
  }

  function read(): void {
    known.clear()
    for (const { schema_name, user_id, banned_until } of all.all())
      note(schema_name, user_id, banned_until === null ? 'deleted' : (banned_until as EpochMillis))
  }
  read()

  return {
    standingOf: (schemaName: SchemaName, userId: string) => {
      const departure = known.get(schemaName)?.get(userId)
      if (departure === undefined) return 'good'
      if (departure === 'deleted') return 'deleted'
      return clock.now() < departure ? 'banned' : 'good'
    },
    delete: (schemaName, userId) => {
      keep.run(schemaName, userId, null)
      note(schemaName, userId, 'deleted')
    },
    ban: (schemaName, userId, until) => {
      if (known.get(schemaName)?.get(userId) === 'deleted') return
      if (until === undefined) {
        forget.run(schemaName, userId)
        known.get(schemaName)?.delete(userId)
        return
      }
      keep.run(schemaName, userId, until)
      note(schemaName, userId, until)
    },
    readAgain: read,
    inTurn: createTurns(),
    erase: (schemaName) => {
      forgetAll.run(schemaName)
      known.delete(schemaName)
    },
  }
}

function createTurns(): RevokedUsers['inTurn'] {
  const last = new Map<string, Promise<unknown>>()
  return (schemaName, userId, change) => {
    const key = `${schemaName} ${userId}`
    const turn = (last.get(key) ?? Promise.resolve()).then(change, change)
    last.set(key, turn)
    const forget = (): void => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(forget, forget)
    return turn
  }
}

export const AUTH_MIGRATIONS: MigrationSet = {
  layer: 'auth',
  steps: [
    `
    create table departed_users (
      schema_name text not null,
      user_id text not null,
      banned_until integer,
      primary key (schema_name, user_id)
    ) strict, without rowid;
    `,
  ],
}
