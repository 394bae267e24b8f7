// What the emulator's own tools do with a project's end users: list, ban, delete (contract.md §8).
import type { SchemaName } from '../core/names.ts'
import { type EpochMillis, toIso } from '../core/time.ts'
import { SqlError } from '../database/engine.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { AuthTables, TextRow } from './auth-tables.ts'
import type { DepartedUsers } from './departed-users.ts'
import { parseUser, USER_JSON, type UserRecord } from './user.ts'
import { type DeletedUser, deleteUser, readUserBy } from './users.ts'

/** A user record, and what its holder is not told. */
export interface ManagedUser extends UserRecord {
  /** ISO 8601 UTC. */
  readonly banned_until: string | null
}

export interface UserPage {
  readonly limit: number
  readonly offset: number
  /** Part of an e-mail address or telephone number. */
  readonly search: string
}

export type UserDeletion =
  | ({ readonly kind: 'deleted' } & DeletedUser)
  | { readonly kind: 'unknown' }
  /** Rows of this table refer to the user. */
  | { readonly kind: 'inUse'; readonly table: string | undefined }

export interface UserManagement {
  /** Newest first, and how many there are on all pages. */
  list(
    schemaName: SchemaName,
    page: UserPage,
  ): Promise<{ readonly users: readonly ManagedUser[]; readonly total: number }>
  /** By id or, without case, by e-mail address. */
  find(schemaName: SchemaName, reference: string): Promise<UserRecord | undefined>
  /** @param until platform time; `undefined` lifts the ban */
  ban(
    schemaName: SchemaName,
    userId: string,
    until: EpochMillis | undefined,
  ): Promise<ManagedUser | undefined>
  delete(schemaName: SchemaName, userId: string): Promise<UserDeletion>
}

const FOREIGN_KEY_VIOLATION = '23503'

/** A whole user and the end of its ban, of `auth_users u`; `managedUserOf` reads it. */
const COLUMNS = sql`${USER_JSON},
  pg_catalog.to_char(u.banned_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export function createUserManagement({
  tables,
  departed,
}: {
  readonly tables: AuthTables
  readonly departed: DepartedUsers
}): UserManagement {
  return {
    list: async (schemaName, { limit, offset, search }) => {
      const matches = matching(search)
      const [users = [], counted] = await tables.read(
        schemaName,
        sql`select ${COLUMNS} from auth_users u where ${matches}
          order by u.created_at desc, u.id limit ${limit} offset ${offset}`,
        sql`select pg_catalog.count(*) from auth_users u where ${matches}`,
      )
      return { users: users.map(managedUserOf), total: Number(counted?.[0]?.[0] ?? 0) }
    },
    find: (schemaName, reference) => readUserBy(tables, schemaName, reference),
    ban: async (schemaName, userId, until) => {
      const end = until === undefined ? null : toIso(until)
      const [rows] = await tables.write(
        schemaName,
        sql`with u as (
            update auth_users set banned_until = ${end}::timestamptz, updated_at = pg_catalog.now()
            where id = ${userId}
            returning *
          )
          select ${COLUMNS} from u`,
      )
      const row = rows?.[0]
      if (row === undefined) return undefined
      departed.ban(schemaName, userId, until)
      return managedUserOf(row)
    },
    delete: async (schemaName, userId) => {
      try {
        const deleted = await deleteUser(tables, schemaName, userId)
        if (deleted === undefined) return { kind: 'unknown' }
        departed.delete(schemaName, userId)
        return { kind: 'deleted', ...deleted }
      } catch (error) {
        if (!(error instanceof SqlError && error.code === FOREIGN_KEY_VIOLATION)) throw error
        return { kind: 'inUse', table: error.facts.table }
      }
    },
  }
}

// strpos instead of like: nothing in what is searched for has a meaning.
function matching(search: string): Sql {
  if (search === '') return sql`true`
  const text = search.toLowerCase()
  return sql`(pg_catalog.strpos(pg_catalog.lower(u.email), ${text}) > 0 or pg_catalog.strpos(u.phone, ${text}) > 0)`
}

function managedUserOf([record, bannedUntil]: TextRow): ManagedUser {
  const user = parseUser(record ?? '')
  return { ...user, banned_until: bannedUntil ?? null }
}
