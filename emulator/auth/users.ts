// End users as rows of the tenant's `auth_users`, written as auth_admin, the one role that reaches them (contract.md §6).
import type { JsonObject } from '../core/json.ts'
import type { SchemaName } from '../core/names.ts'
import { searchPathOf } from '../database/as-principal.ts'
import { cellText, type Engine } from '../database/engine.ts'
import { sql } from '../database/sql.ts'

export interface NewUser {
  readonly email: string
  /** As `hashPassword` gives it. */
  readonly passwordHash: string
  readonly userMetadata: JsonObject
}

/** A user as the emulator's own tools need to know it. */
export interface UserSummary {
  readonly id: string
  readonly email: string | null
  readonly userMetadata: JsonObject
}

const TIMEOUT_MILLIS = 8_000

/** Makes a confirmed user with a password; one with this e-mail address already there is left as it is. Gives the id. */
export async function ensureUser(
  engine: Engine,
  schemaName: SchemaName,
  user: NewUser,
): Promise<string> {
  const { results } = await engine.run({
    actor: { schemaName, role: 'auth_admin' },
    settings: { search_path: searchPathOf(schemaName) },
    mode: 'readWrite',
    statements: [
      sql`insert into auth_users (email, email_confirmed_at, user_metadata, app_metadata)
        values (${user.email}, now(), ${JSON.stringify(user.userMetadata)}::jsonb,
          '{"provider":"email","providers":["email"]}'::jsonb)
        on conflict (lower(email)) do nothing`,
      sql`insert into auth_credentials (user_id, password_hash)
        select id, ${user.passwordHash} from auth_users where lower(email) = lower(${user.email})
        on conflict (user_id) do nothing`,
      sql`select id from auth_users where lower(email) = lower(${user.email})`,
    ],
    end: 'commit',
    timeoutMillis: TIMEOUT_MILLIS,
  })
  const id = cellText(results[2]?.rows[0]?.[0])
  if (id === undefined) throw new Error(`user ${user.email} was not stored`)
  return id
}

/** Finds a user by id or, without case, by e-mail address. */
export async function findUser(
  engine: Engine,
  schemaName: SchemaName,
  reference: string,
): Promise<UserSummary | undefined> {
  const { results } = await engine.run({
    actor: { schemaName, role: 'auth_admin' },
    settings: { search_path: searchPathOf(schemaName) },
    mode: 'readOnly',
    statements: [
      sql`select id, email, user_metadata::text from auth_users
        where id::text = ${reference} or lower(email) = lower(${reference})`,
    ],
    end: 'commit',
    timeoutMillis: TIMEOUT_MILLIS,
  })
  const row = results[0]?.rows[0]
  const id = cellText(row?.[0])
  if (row === undefined || id === undefined) return undefined
  return {
    id,
    email: cellText(row[1]) ?? null,
    userMetadata: JSON.parse(cellText(row[2]) ?? '{}') as JsonObject,
  }
}
