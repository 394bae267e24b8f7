// Reads and writes end users, which are rows of the tenant's `auth_users`, and their identities (docs/wire/auth.md#user).
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../../database/engine.ts'
import { EMPTY, join, type Sql, sql } from '../../../database/sql.ts'
import { type AuthTables, PLATFORM_NOW, type TextRow } from '../auth-tables.ts'
import { type AuthError, invalidRequest } from '../errors.ts'
import { parseUser, USER_JSON, type UserRecord } from './user.ts'

const UNIQUE_VIOLATION = '23505'

/** A user's account at a provider. `email` and `phone` are the platform's own providers. */
export interface NewIdentity {
  readonly provider: string
  /** The provider's id of the user. Absent for `email` and `phone`, which use the user's own id. */
  readonly providerUserId?: string
  readonly email?: string
  readonly data: JsonObject
}

export interface NewUser {
  /** A fresh UUID. */
  readonly id: string
  readonly email?: string
  readonly phone?: string
  readonly emailConfirmed: boolean
  readonly phoneConfirmed: boolean
  /** A hash in the format of `hashPassword`. */
  readonly passwordHash?: string
  readonly userMetadata: JsonObject
  /** The provider of the first identity becomes `app_metadata.provider`, the provider that the user signed up with. */
  readonly identities: readonly NewIdentity[]
}

export type UserCreation =
  | {
      readonly kind: 'created'
      readonly user: UserRecord
      /** The rows of each statement that ran with the creation. */
      readonly results: readonly (readonly TextRow[])[]
    }
  /** `taken` means that another user has the e-mail address, the phone number or an identity. Nothing was stored. */
  | { readonly kind: 'taken' }

/** @throws {AuthError} `invalid_request` for metadata that are too large for a token */
export function requireMetadataSize(metadata: JsonObject): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) throw metadataTooLarge()
}

/**
 * Creates a user with password and identities in one transaction.
 *
 * @param along statements for the same transaction, so that a failure of one stores nothing. When the address is
 *   taken, the statements run without the new user and must change nothing.
 */
export async function createUser(
  tables: AuthTables,
  schemaName: SchemaName,
  user: NewUser,
  ...along: readonly Sql[]
): Promise<UserCreation> {
  const statements = [insertion(user), selectUser(sql`u.id = ${user.id}`), ...along]
  try {
    const [, rows, ...results] = await tables.write(schemaName, ...statements)
    const text = rows?.[0]?.[0]
    return typeof text === 'string'
      ? { kind: 'created', user: parseUser(text), results }
      : { kind: 'taken' }
  } catch (error) {
    // On an engine with several connections another request may store the identity between the check and the insert.
    if (error instanceof SqlError && error.code === UNIQUE_VIOLATION) return { kind: 'taken' }
    throw error
  }
}

/** Returns the whole record of the user, or `undefined` when the user does not exist. */
export async function readUser(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
): Promise<UserRecord | undefined> {
  return recordOf(await tables.read(schemaName, selectUser(sql`u.id = ${userId}`)))
}

/** Returns the record of the user with this id or e-mail address, ignoring case. */
export async function readUserBy(
  tables: AuthTables,
  schemaName: SchemaName,
  reference: string,
): Promise<UserRecord | undefined> {
  return recordOf(await tables.read(schemaName, selectUser(isMeant(reference))))
}

/** Returns the records of all users with one of these ids or e-mail addresses in lower case. */
export async function readUsersBy(
  tables: AuthTables,
  schemaName: SchemaName,
  references: readonly string[],
): Promise<readonly UserRecord[]> {
  const list = JSON.stringify(references.map((reference) => reference.normalize('NFC')))
  const [rows = []] = await tables.read(
    schemaName,
    selectUser(sql`exists (select from pg_catalog.jsonb_array_elements_text(${list}::jsonb) as given (name)
      where given.name in (u.id::text, pg_catalog.lower(u.email)))`),
  )
  return rows.map(([text]) => parseUser(text ?? ''))
}

/**
 * Maximum bytes of a user's metadata as JSON. Every data_plane_token contains the metadata, and servers and proxies refuse a
 * token that is too long for a header.
 */
const MAX_METADATA_BYTES = 32_768

/** Merges members into the user's metadata and returns the new record. `tooLarge` means that nothing was changed. */
export async function mergeUserMetadata(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
  changes: JsonObject,
): Promise<UserRecord | 'tooLarge' | undefined> {
  const [rows] = await tables.write(
    schemaName,
    sql`with merged as (
        select id, user_metadata || ${JSON.stringify(changes)}::jsonb as metadata
        from auth_users where id = ${userId}
        for update
      ), u as (
        update auth_users set user_metadata = m.metadata, updated_at = ${PLATFORM_NOW}
        from merged m
        where auth_users.id = m.id
          and pg_catalog.octet_length(m.metadata::text) <= ${MAX_METADATA_BYTES}::integer
        returning auth_users.*
      )
      select (select ${USER_JSON} from u) from merged`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  return typeof row[0] === 'string' ? parseUser(row[0]) : 'tooLarge'
}

export interface DeletedUser {
  /** Number of active sessions that the deletion ended. */
  readonly sessionsRevoked: number
  readonly identitiesDeleted: number
}

/** Deletes the user and all data that the platform stores about the user. Returns `undefined` when the user does not exist. */
export async function deleteUser(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
): Promise<DeletedUser | undefined> {
  const [rows] = await tables.write(
    schemaName,
    sql`with gone as (delete from auth_users where id = ${userId} returning id)
      select (select pg_catalog.count(*) from auth_sessions s where s.user_id = gone.id and s.revoked_at is null),
        (select pg_catalog.count(*) from auth_identities i where i.user_id = gone.id)
      from gone`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  return { sessionsRevoked: Number(row[0]), identitiesDeleted: Number(row[1]) }
}

/** The user data that the emulator's own tools use. */
export interface UserSummary {
  readonly id: string
  readonly email: string | null
  readonly userMetadata: JsonObject
}

/** The error for metadata that are too large for a token. */
export function metadataTooLarge(): AuthError {
  return invalidRequest({
    data: `makes more than ${MAX_METADATA_BYTES} bytes of user metadata; every token contains the metadata, so keep large data in a table`,
  })
}

/** Finds a user by id or by e-mail address, ignoring case. */
export async function findUser(
  tables: AuthTables,
  schemaName: SchemaName,
  reference: string,
): Promise<UserSummary | undefined> {
  const [rows] = await tables.read(
    schemaName,
    sql`select id, email, user_metadata::text from auth_users u where ${isMeant(reference)}`,
  )
  const [id, email, metadata] = rows?.[0] ?? []
  if (typeof id !== 'string') return undefined
  const userMetadata = parseJson(metadata ?? '{}')
  return { id, email: email ?? null, userMetadata: isJsonObject(userMetadata) ? userMetadata : {} }
}

// Returns a condition on a single indexed column, so that Postgres does not scan all users. No e-mail address has the form of an
// id.
function isMeant(reference: string): Sql {
  if (UUID.test(reference)) return sql`u.id = ${reference}`
  return sql`pg_catalog.lower(u.email) = pg_catalog.lower(${reference.normalize('NFC')})`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the identity of a user who signs in with an e-mail address or a phone number. */
export function ownIdentity(provider: 'email' | 'phone', address: string): NewIdentity {
  return {
    provider,
    ...(provider === 'email' ? { email: address } : {}),
    data: { [provider]: address },
  }
}

function selectUser(condition: Sql): Sql {
  return sql`select ${USER_JSON} from auth_users u where ${condition}`
}

function recordOf(results: readonly (readonly TextRow[])[]): UserRecord | undefined {
  const text = results[0]?.[0]?.[0]
  return typeof text === 'string' ? parseUser(text) : undefined
}

function insertion(user: NewUser): Sql {
  const { id } = user
  const providers = [...new Set(user.identities.map(({ provider }) => provider))]
  const appMetadata = { provider: providers[0] ?? 'email', providers }
  return sql`with made as (
      insert into auth_users (id, email, phone, email_confirmed_at, phone_confirmed_at, user_metadata, app_metadata,
        created_at, updated_at)
      select ${id}, ${user.email ?? null}, ${user.phone ?? null},
        ${user.emailConfirmed ? PLATFORM_NOW : sql`null`}, ${user.phoneConfirmed ? PLATFORM_NOW : sql`null`},
        ${JSON.stringify(user.userMetadata)}::jsonb, ${JSON.stringify(appMetadata)}::jsonb, ${PLATFORM_NOW}, ${PLATFORM_NOW}
      where not exists (select from auth_identities where ${identityTaken(id, user.identities)})
      on conflict do nothing
      returning id
    )${user.passwordHash === undefined ? EMPTY : withPassword(user.passwordHash)}
    insert into auth_identities (user_id, provider, provider_user_id, email, identity_data, last_sign_in_at,
      created_at, updated_at)
    select made.id, given.*, ${PLATFORM_NOW}, ${PLATFORM_NOW} from made, (values ${join(user.identities.map((each) => identityRow(id, each)))}) given`
}

function withPassword(passwordHash: string): Sql {
  return sql`, secret as (
      insert into auth_credentials (user_id, password_hash, changed_at) select id, ${passwordHash}, ${PLATFORM_NOW} from made
    )`
}

function identityTaken(userId: string, identities: readonly NewIdentity[]): Sql {
  const pairs = identities.map((each) => sql`(${each.provider}, ${each.providerUserId ?? userId})`)
  return sql`(provider, provider_user_id) in (${join(pairs)})`
}

function identityRow(userId: string, identity: NewIdentity): Sql {
  const providerUserId = identity.providerUserId ?? userId
  return sql`(${identity.provider}::text, ${providerUserId}::text, ${identity.email ?? null}::text,
    ${JSON.stringify({ sub: providerUserId, ...identity.data })}::jsonb, ${PLATFORM_NOW})`
}
