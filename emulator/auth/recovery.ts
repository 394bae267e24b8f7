// A forgotten password replaced by means of a reset link (docs/wire/auth.md#recovery).
import type { SchemaName } from '../core/names.ts'
import { sql } from '../database/sql.ts'
import type { AuthTables } from './auth-tables.ts'
import { goodToken } from './one-time-codes.ts'
import { foreignProofs, openTickets, ownProof, soleProvider } from './proven-user.ts'

export interface PasswordReset {
  readonly token: string
  readonly passwordHash: string
}

export interface ResetOutcome {
  readonly userId: string
  /** The account had no password before. */
  readonly isFirst: boolean
  readonly sessionsRevoked: number
}

/**
 * Spends the token and every other reset link to its address, stores the password, confirms the address and ends all of
 * the user's sessions, in one statement. Factors and identities of an account nobody had confirmed may be a squatter's:
 * they go. `undefined`: the token was not good any more, or nobody has the address.
 */
export async function resetPassword(
  tables: AuthTables,
  schemaName: SchemaName,
  { token, passwordHash }: PasswordReset,
): Promise<ResetOutcome | undefined> {
  const squatted = sql`select id from holder where is_taken_over`
  const [rows] = await tables.write(
    schemaName,
    sql`with presented as (
        select id, target from auth_one_time_codes ${goodToken('recovery', token)} for update
      ), spent as (
        update auth_one_time_codes c set spent_at = pg_catalog.now()
        from presented p
        where c.purpose = 'recovery' and c.spent_at is null
          and pg_catalog.lower(c.target) = pg_catalog.lower(p.target)
      ), holder as (
        select id, email_confirmed_at is null as is_taken_over from auth_users
        where pg_catalog.lower(email) = (select pg_catalog.lower(target) from presented)
      ), u as (
        update auth_users
        set email_confirmed_at = coalesce(email_confirmed_at, pg_catalog.now()), updated_at = pg_catalog.now(),
          app_metadata = case when h.is_taken_over then ${soleProvider('email')} else app_metadata end
        from holder h
        where auth_users.id = h.id
        returning auth_users.id
      ), former as (
        select c.user_id from auth_credentials c join u on u.id = c.user_id
      ), stored as (
        insert into auth_credentials (user_id, password_hash)
        select id, ${passwordHash} from u
        on conflict (user_id) do update
        set password_hash = excluded.password_hash, changed_at = pg_catalog.now()
      ), ended as (
        update auth_sessions set revoked_at = pg_catalog.now()
        where user_id in (select id from u) and revoked_at is null
        returning id
      ), ${foreignProofs(squatted, 'email')}, ${ownProof(squatted, 'email')},
        ${openTickets(sql`select id from holder`)}
      select u.id, not exists (select from former), (select pg_catalog.count(*) from ended) from u`,
  )
  const [userId, isFirst, sessionsRevoked] = rows?.[0] ?? []
  if (typeof userId !== 'string') return undefined
  return { userId, isFirst: isFirst === 't', sessionsRevoked: Number(sessionsRevoked) }
}
