// Adds, tries and removes second factors, the rows of `auth_mfa_factors` (docs/wire/auth.md#mfa). Each operation locks the
// user first, so that parallel requests cannot exceed a limit.
import type { SchemaName } from '../../../core/names.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { type AuthTables, PLATFORM_NOW } from '../auth-tables.ts'
import { AuthError } from '../errors.ts'
import { isSessionActive, lockUser } from '../users/user-locks.ts'

/** Maximum number of factors per user. */
export const MAX_FACTORS = 10
/** After this number of wrong codes in a row, every code is refused for TOTP_PAUSE_MILLIS. */
export const MAX_TOTP_TRIES = 5
/** The pause in platform milliseconds. It begins with the last wrong code. */
export const TOTP_PAUSE_MILLIS: number = 5 * MINUTE_MILLIS

/** Unfinished enrolments are removed after an hour. */
const ABANDONED = sql`status = 'unverified' and created_at < ${PLATFORM_NOW} - interval '1 hour'`
/**
 * Rows of `auth_one_time_codes` with this `purpose` count wrong codes. Each row counts for one session or second-factor token.
 */
export const TRIES = 'totp_tries'

export interface FactorDraft {
  readonly id: string
  readonly userId: string
  /** Base32. */
  readonly secret: string
  readonly friendlyName: string | undefined
  /** The session of the request. */
  readonly sessionId: string
  /** The session's level. Adding another factor requires `aal2`, so that a stolen password alone is not enough. */
  readonly assuranceLevel: 'aal1' | 'aal2'
}

/**
 * Stores an unverified factor if the session's level and MAX_FACTORS allow the factor. Returns `undefined` when the session was
 * ended, also by deleting the user.
 */
export async function addFactor(
  tables: AuthTables,
  schemaName: SchemaName,
  draft: FactorDraft,
): Promise<'added' | 'levelTooLow' | 'tooMany' | undefined> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(draft.userId),
    sql`with abandoned as (
        delete from auth_mfa_factors where user_id = ${draft.userId} and ${ABANDONED}
      ), present as (
        select pg_catalog.count(*) as factors, coalesce(pg_catalog.bool_or(status = 'verified'), false) as is_guarded
        from auth_mfa_factors where user_id = ${draft.userId} and not (${ABANDONED})
      ), verdict as (
        select u.id, case
            when is_guarded and ${draft.assuranceLevel} <> 'aal2' then 'levelTooLow'
            when factors >= ${MAX_FACTORS}::integer then 'tooMany'
            else 'added'
          end as kind
        from auth_users u, present where u.id = ${draft.userId} and ${isSessionActive(draft.sessionId)}
      ), added as (
        insert into auth_mfa_factors (id, user_id, friendly_name, secret, created_at, updated_at)
        select ${draft.id}, id, ${draft.friendlyName ?? null}, ${draft.secret}, ${PLATFORM_NOW}, ${PLATFORM_NOW}
        from verdict where kind = 'added'
      )
      select kind from verdict`,
  )
  const kind = rows?.[0]?.[0]
  return kind === 'added' || kind === 'levelTooLow' || kind === 'tooMany' ? kind : undefined
}

/** Whether the user of the factor `f` has another factor that is verified. */
export const IS_GUARDED: Sql = sql`exists (
    select from auth_mfa_factors other
    where other.user_id = f.user_id and other.id <> f.id and other.status = 'verified'
  )`

/** One attempt to verify a factor. `ticket` is the id of the session or second-factor token. Tries are counted per ticket. */
export interface FactorTry {
  /** A UUID. */
  readonly factorId: string
  readonly userId: string
  readonly ticket: string
}

export interface TriedFactor {
  readonly secret: string
  readonly status: 'unverified' | 'verified'
  /** Whether the user has another factor that is verified. */
  readonly isGuarded: boolean
  /** Whether the ticket had already reached the limit of tries. */
  readonly isPaused: boolean
}

/**
 * Counts a try for the ticket and returns the factor. Returns `undefined` when the user has no factor with this id. The try is
 * counted before the code is checked, so parallel guesses get no more tries than sequential ones.
 */
export async function tryFactor(
  tables: AuthTables,
  schemaName: SchemaName,
  { factorId, userId, ticket }: FactorTry,
): Promise<TriedFactor | undefined> {
  const pause = sql`${PLATFORM_NOW} + ${TOTP_PAUSE_MILLIS}::float8 * interval '1 millisecond'`
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(userId),
    sql`with factor as (
        select f.secret, f.status, ${IS_GUARDED} as is_guarded
        from auth_mfa_factors f where f.id = ${factorId}::uuid and f.user_id = ${userId}
      ), tries as (
        select id, case when expires_at > ${PLATFORM_NOW} then failed_attempts else 0 end as made
        from auth_one_time_codes where purpose = ${TRIES} and target = ${ticket}
        for update
      ), counted as (
        update auth_one_time_codes c set failed_attempts = t.made + 1, expires_at = ${pause}
        from tries t
        where c.id = t.id and t.made < ${MAX_TOTP_TRIES}::integer and exists (select from factor)
      ), begun as (
        insert into auth_one_time_codes (purpose, user_id, target, code_hash, failed_attempts, created_at, expires_at)
        select ${TRIES}, ${userId}::uuid, ${ticket}, '', 1, ${PLATFORM_NOW}, ${pause} from factor
        where not exists (select from tries)
      )
      select secret, status, is_guarded,
        coalesce((select made >= ${MAX_TOTP_TRIES}::integer from tries), false)
      from factor`,
  )
  const [secret, status, isGuarded, isPaused] = rows?.[0] ?? []
  if (typeof secret !== 'string') return undefined
  return {
    secret,
    status: status === 'verified' ? status : 'unverified',
    isGuarded: isGuarded === 't',
    isPaused: isPaused === 't',
  }
}

/**
 * Deletes a factor. Deleting a verified factor requires an `aal2` session. Returns `undefined` when the user has no factor with
 * this id.
 */
export async function removeFactor(
  tables: AuthTables,
  schemaName: SchemaName,
  { factorId, userId }: Pick<FactorTry, 'factorId' | 'userId'>,
  assuranceLevel: 'aal1' | 'aal2',
): Promise<'removed' | 'levelTooLow' | undefined> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(userId),
    sql`with found as (
        select id, status = 'unverified' or ${assuranceLevel} = 'aal2' as may_go
        from auth_mfa_factors where id = ${factorId}::uuid and user_id = ${userId}
        for update
      ), removed as (
        delete from auth_mfa_factors where id in (select id from found where may_go)
      )
      select may_go from found`,
  )
  const mayGo = rows?.[0]?.[0]
  if (typeof mayGo !== 'string') return undefined
  return mayGo === 't' ? 'removed' : 'levelTooLow'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a factor's id in lower case. @throws {AuthError} `factor_not_found` when the text is not a UUID */
export function requireFactorId(text: string): string {
  if (!UUID.test(text)) throw factorNotFound()
  return text.toLowerCase()
}

/** The error for an action that requires a session with two factors. */
export function levelTooLow(deed: string): AuthError {
  return new AuthError(
    'insufficient_aal',
    `A session with two factors (aal2) is required to ${deed}.`,
    {
      hint: 'First verify a code of a verified factor with POST /auth/v1/mfa/verify.',
    },
  )
}

/** The error for an id that is not among the factors of the user. */
export function factorNotFound(): AuthError {
  return new AuthError('factor_not_found', 'The user has no factor with this id.', {
    hint: 'GET /auth/v1/mfa lists the user’s factors. A sign-in accepts only verified factors.',
  })
}
