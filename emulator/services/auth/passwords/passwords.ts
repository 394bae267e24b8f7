// Checks, changes and resets passwords (docs/wire/auth.md#password). credentials/password-hash.ts computes the hashes.
import { isJsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { sql } from '../../../database/sql.ts'
import { type KeyDerivation, matchesPassword } from '../../../platform/credentials/password-hash.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { type AuthTables, PLATFORM_NOW } from '../auth-tables.ts'
import { AuthError } from '../errors.ts'
import { goodToken, lockTokenHolder, spendResets } from '../one-time-codes/link-tokens.ts'
import {
  foreignProofs,
  openTickets,
  ownProof,
  type ProvenUser,
  soleProvider,
} from '../users/proven-user.ts'
import { type FactorRecord, VERIFIED_FACTORS } from '../users/user.ts'
import { isSessionActive, lockUser } from '../users/user-locks.ts'

/** Maximum bytes of a password, which limits the time to hash it. */
const MAX_PASSWORD_BYTES = 1_024
/**
 * Maximum UTF-16 units of a password. The normal form (NFKC) of a longer text has more than MAX_PASSWORD_BYTES. This limit is
 * checked first, because normalising a megabyte would block other requests.
 */
const MAX_PASSWORD_LENGTH = 4_096

/**
 * Throws for a weak password. The limits apply to the normalised text (NFKC), because that text is hashed.
 * @throws {AuthError} `weak_password`
 */
export function requireStrength(password: string, { passwordMinLength }: AuthSettings): void {
  if (password.length > MAX_PASSWORD_LENGTH) throw tooLong()
  const normal = password.normalize('NFKC')
  if ([...normal].length < passwordMinLength)
    throw new AuthError(
      'weak_password',
      `The password is too short: it needs at least ${passwordMinLength} characters.`,
    )
  if (Buffer.byteLength(normal) > MAX_PASSWORD_BYTES) throw tooLong()
}

/** Compares a password with its hash in constant time. Without a hash, the call takes the same time and returns false. */
export function checkPassword(
  password: string,
  hash: string | undefined,
  derive?: KeyDerivation,
): Promise<boolean> {
  return password.length > MAX_PASSWORD_LENGTH
    ? matchesPassword('', undefined, derive)
    : matchesPassword(password, hash, derive)
}

/**
 * Returns the account with this e-mail address and password. An unknown address also computes a hash, so the response
 * time does not reveal which addresses have accounts. @throws {AuthError} `invalid_credentials`
 */
export async function accountByPassword(
  tables: AuthTables,
  schemaName: SchemaName,
  { email, password }: { readonly email: string; readonly password: string },
  derive?: KeyDerivation,
): Promise<Account> {
  const account = await findAccount(tables, schemaName, email)
  const matches = await checkPassword(password, account?.passwordHash, derive)
  if (account !== undefined && matches) return account
  throw new AuthError('invalid_credentials', 'The e-mail address or the password is wrong.')
}

/** The user data that a sign-in with a password reads. */
export interface Account extends ProvenUser {
  readonly passwordHash: string | undefined
  readonly emailConfirmed: boolean
}

/** Returns the stored hash, or `undefined` for a user who never set a password. */
export async function passwordHashOf(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
): Promise<string | undefined> {
  const [rows] = await tables.read(
    schemaName,
    sql`select password_hash from auth_credentials where user_id = ${userId}`,
  )
  return rows?.[0]?.[0] ?? undefined
}

export interface PasswordChange {
  readonly userId: string
  readonly passwordHash: string
  /**
   * The hash that was checked; `undefined` when the user had no password. Nothing is stored when the hash has changed
   * meanwhile.
   */
  readonly replaces: string | undefined
  /** The session of the request, which stays active. */
  readonly sessionId: string
}

/**
 * Stores a password and invalidates the user's links and unfinished sign-ins. A password that replaces another one also ends
 * the user's other sessions. Returns the number of ended sessions. Returns `undefined` when nothing was stored, also because
 * the request's session was ended meanwhile.
 */
export async function changePassword(
  tables: AuthTables,
  schemaName: SchemaName,
  change: PasswordChange,
): Promise<number | undefined> {
  const isActive = isSessionActive(change.sessionId)
  const stored =
    change.replaces === undefined
      ? sql`insert into auth_credentials (user_id, password_hash, changed_at)
          select ${change.userId}::uuid, ${change.passwordHash}, ${PLATFORM_NOW} where ${isActive}
          on conflict do nothing returning user_id`
      : sql`update auth_credentials set password_hash = ${change.passwordHash}, changed_at = ${PLATFORM_NOW}
          where user_id = ${change.userId} and password_hash = ${change.replaces} and ${isActive} returning user_id`
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(change.userId),
    sql`with stored as (${stored}), touched as (
        update auth_users set updated_at = ${PLATFORM_NOW} where id in (select user_id from stored)
      ), ended as (
        update auth_sessions set revoked_at = ${PLATFORM_NOW}
        where user_id in (select user_id from stored) and revoked_at is null
          and ${change.replaces !== undefined}::boolean
          and id <> ${change.sessionId}
        returning id
      ), ${openTickets(sql`select user_id from stored`)}
      select (select pg_catalog.count(*) from ended) from stored`,
  )
  const ended = rows?.[0]?.[0]
  return ended === undefined ? undefined : Number(ended)
}

/** Finds the account by e-mail address, ignoring case. */
async function findAccount(
  tables: AuthTables,
  schemaName: SchemaName,
  email: string,
): Promise<Account | undefined> {
  const [rows] = await tables.read(
    schemaName,
    sql`select u.id, c.password_hash, u.email_confirmed_at is not null, ${VERIFIED_FACTORS}
      from auth_users u left join auth_credentials c on c.user_id = u.id
      where pg_catalog.lower(u.email) = pg_catalog.lower(${email})`,
  )
  const [userId, passwordHash, isConfirmed, factors] = rows?.[0] ?? []
  if (typeof userId !== 'string') return undefined
  return {
    userId,
    passwordHash: passwordHash ?? undefined,
    emailConfirmed: isConfirmed === 't',
    verifiedFactors: factorsOf(factors ?? '[]'),
    proof: sql`exists (select from auth_credentials where user_id = ${userId} and password_hash = ${passwordHash ?? null})`,
  }
}

function tooLong(): AuthError {
  return new AuthError(
    'weak_password',
    `The password is too long: at most ${MAX_PASSWORD_BYTES} bytes are allowed.`,
  )
}

function factorsOf(text: string): readonly FactorRecord[] {
  const factors = parseJson(text)
  return Array.isArray(factors)
    ? factors.filter(isJsonObject).map((factor) => factor as FactorRecord)
    : []
}

export interface PasswordReset {
  readonly token: string
  readonly passwordHash: string
}

export interface ResetOutcome {
  readonly userId: string
  /** Whether the account had no password before. */
  readonly isFirst: boolean
  readonly sessionsRevoked: number
}

/**
 * Stores the new password and confirms the address, in one statement. Also invalidates the reset links to the address and the
 * user's sessions. Removes factors and identities of an unconfirmed account, which can belong to another person. Returns
 * `undefined` when the token is no longer valid or no user has the address.
 */
export async function resetPassword(
  tables: AuthTables,
  schemaName: SchemaName,
  { token, passwordHash }: PasswordReset,
): Promise<ResetOutcome | undefined> {
  const squatted = sql`select id from holder where is_taken_over`
  const [rows] = await tables.writeLocked(
    schemaName,
    lockTokenHolder('recovery', token),
    sql`with presented as (
        select id, target from auth_one_time_codes ${goodToken('recovery', token)} for update
      ), spent as (
        ${spendResets(sql`(select target from presented)`)}
      ), holder as (
        select id, email_confirmed_at is null as is_taken_over from auth_users
        where pg_catalog.lower(email) = (select pg_catalog.lower(target) from presented)
      ), u as (
        update auth_users
        set email_confirmed_at = coalesce(email_confirmed_at, ${PLATFORM_NOW}), updated_at = ${PLATFORM_NOW},
          app_metadata = case when h.is_taken_over then ${soleProvider('email')} else app_metadata end
        from holder h
        where auth_users.id = h.id
        returning auth_users.id
      ), former as (
        select c.user_id from auth_credentials c join u on u.id = c.user_id
      ), stored as (
        insert into auth_credentials (user_id, password_hash, changed_at)
        select id, ${passwordHash}, ${PLATFORM_NOW} from u
        on conflict (user_id) do update
        set password_hash = excluded.password_hash, changed_at = excluded.changed_at
      ), ended as (
        update auth_sessions set revoked_at = ${PLATFORM_NOW}
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
