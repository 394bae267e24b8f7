// Imports and exports users for fixtures, with password hash, identities and factors (docs/wire/auth.md#user). Applies no sign-up
// rules and sends no messages.
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { EMPTY, join, type Sql, sql } from '../../../database/sql.ts'
import { type AuthTables, PLATFORM_NOW } from '../auth-tables.ts'
import type { NewIdentity } from './users.ts'

export interface FixtureFactor {
  /** Base32. */
  readonly secret: string
  readonly friendlyName: string | undefined
  readonly isVerified: boolean
}

/** All data of one user. Timestamps are ISO 8601. */
export interface WholeUser {
  readonly id: string
  /** The e-mail address in the form NFC, like addresses in requests. */
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly emailConfirmed: boolean
  readonly phoneConfirmed: boolean
  /** A hash in the format of `hashPassword`. */
  readonly passwordHash: string | undefined
  readonly userMetadata: JsonObject
  readonly appMetadata: JsonObject
  readonly bannedUntil: string | undefined
  readonly createdAt: string | undefined
  readonly lastSignInAt: string | undefined
  readonly identities: readonly NewIdentity[]
  readonly factors: readonly FixtureFactor[]
}

export interface KnownUser {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
}

/** Finds all users that share an id, e-mail address (ignoring case) or phone number with one of `users`. */
export async function findKnownUsers(
  tables: AuthTables,
  schemaName: SchemaName,
  users: readonly {
    readonly id: string
    readonly email?: string | undefined
    readonly phone?: string | undefined
  }[],
): Promise<readonly KnownUser[]> {
  const names = users.flatMap(({ email, id, phone }) => [id, email?.toLowerCase(), phone])
  const list = JSON.stringify(names.filter((name) => name !== undefined))
  const [rows = []] = await tables.read(
    schemaName,
    sql`select u.id, u.email, u.phone from auth_users u
      where exists (select from pg_catalog.jsonb_array_elements_text(${list}::jsonb) as given (name)
        where given.name in (u.id::text, pg_catalog.lower(u.email), u.phone))`,
  )
  return rows.map(([id, email, phone]) => ({
    id: id ?? '',
    email: email ?? null,
    phone: phone ?? null,
  }))
}

/** Creates all users in one transaction. @throws {SqlError} */
export async function insertWholeUsers(
  tables: AuthTables,
  schemaName: SchemaName,
  users: readonly WholeUser[],
): Promise<void> {
  if (users.length > 0) await tables.write(schemaName, ...users.map(insertion))
}

/** Returns every user of the project, oldest first. */
export async function readWholeUsers(
  tables: AuthTables,
  schemaName: SchemaName,
): Promise<readonly WholeUser[]> {
  const [rows = []] = await tables.read(schemaName, SELECT_ALL)
  return rows.map(([text]) => wholeUserOf(text ?? ''))
}

function insertion(user: WholeUser): Sql {
  return sql`with made as (
      insert into auth_users (id, email, phone, email_confirmed_at, phone_confirmed_at, last_sign_in_at, user_metadata,
        app_metadata, banned_until, created_at, updated_at)
      values (${user.id}, ${user.email ?? null}, ${user.phone ?? null},
        ${user.emailConfirmed ? made(user) : sql`null`}, ${user.phoneConfirmed ? made(user) : sql`null`},
        ${user.lastSignInAt ?? null}::timestamptz, ${JSON.stringify(user.userMetadata)}::jsonb,
        ${JSON.stringify(user.appMetadata)}::jsonb, ${user.bannedUntil ?? null}::timestamptz, ${made(user)}, ${made(user)})
      returning id
    )${user.passwordHash === undefined ? EMPTY : secret(user.passwordHash)}${user.factors.length === 0 ? EMPTY : factors(user)}
    insert into auth_identities (user_id, provider, provider_user_id, email, identity_data, last_sign_in_at,
      created_at, updated_at)
    select made.id, given.*, ${PLATFORM_NOW}, ${PLATFORM_NOW} from made, (values ${join(user.identities.map((each) => identityRow(user.id, each)))}) given`
}

function made({ createdAt }: WholeUser): Sql {
  return sql`coalesce(${createdAt ?? null}::timestamptz, ${PLATFORM_NOW})`
}

function secret(passwordHash: string): Sql {
  return sql`, secret as (
      insert into auth_credentials (user_id, password_hash, changed_at) select id, ${passwordHash}, ${PLATFORM_NOW} from made
    )`
}

function factors({ factors: all }: WholeUser): Sql {
  const rows = all.map(
    ({ friendlyName, isVerified, secret: text }) =>
      sql`(${text}::text, ${friendlyName ?? null}::text, ${isVerified ? 'verified' : 'unverified'}::text)`,
  )
  return sql`, factors as (
      insert into auth_mfa_factors (user_id, secret, friendly_name, status, created_at, updated_at)
      select made.id, given.*, ${PLATFORM_NOW}, ${PLATFORM_NOW} from made, (values ${join(rows)}) given
    )`
}

function identityRow(userId: string, identity: NewIdentity): Sql {
  const providerUserId = identity.providerUserId ?? userId
  return sql`(${identity.provider}::text, ${providerUserId}::text, ${identity.email ?? null}::text,
    ${JSON.stringify({ sub: providerUserId, ...identity.data })}::jsonb, ${PLATFORM_NOW})`
}

const iso = (column: Sql): Sql =>
  sql`pg_catalog.to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

// Function names are schema-qualified, so that the project owner's functions with the same names cannot run as auth_admin.
const SELECT_ALL: Sql = sql`select pg_catalog.json_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone,
    'email_confirmed', u.email_confirmed_at is not null, 'phone_confirmed', u.phone_confirmed_at is not null,
    'password_hash', (select c.password_hash from auth_credentials c where c.user_id = u.id),
    'user_metadata', u.user_metadata, 'app_metadata', u.app_metadata,
    'banned_until', ${iso(sql`u.banned_until`)}, 'created_at', ${iso(sql`u.created_at`)},
    'last_sign_in_at', ${iso(sql`u.last_sign_in_at`)},
    'identities', coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object(
        'provider', i.provider, 'provider_user_id', i.provider_user_id, 'email', i.email, 'data', i.identity_data)
        order by i.created_at, i.provider)
      from auth_identities i where i.user_id = u.id), '[]'),
    'factors', coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object(
        'secret', f.secret, 'friendly_name', f.friendly_name, 'verified', f.status = 'verified') order by f.created_at, f.id)
      from auth_mfa_factors f where f.user_id = u.id), '[]'))::text
  from auth_users u order by u.created_at, u.id`

function wholeUserOf(text: string): WholeUser {
  const record = objectOf(parseJson(text))
  const word = (name: string): string | undefined => textOf(record[name])
  const id = word('id') ?? ''
  return {
    id,
    email: word('email'),
    phone: word('phone'),
    emailConfirmed: record['email_confirmed'] === true,
    phoneConfirmed: record['phone_confirmed'] === true,
    passwordHash: word('password_hash'),
    userMetadata: objectOf(record['user_metadata']),
    appMetadata: objectOf(record['app_metadata']),
    bannedUntil: word('banned_until'),
    createdAt: word('created_at'),
    lastSignInAt: word('last_sign_in_at'),
    identities: listOf(record['identities']).map((each) => identityOf(each, id)),
    factors: listOf(record['factors']).map((each) => ({
      secret: textOf(each['secret']) ?? '',
      friendlyName: textOf(each['friendly_name']),
      isVerified: each['verified'] === true,
    })),
  }
}

function identityOf(each: JsonObject, userId: string): NewIdentity {
  const { sub: _, ...data } = objectOf(each['data'])
  const providerUserId = textOf(each['provider_user_id'])
  const email = textOf(each['email'])
  return {
    provider: textOf(each['provider']) ?? '',
    ...(providerUserId === undefined || providerUserId === userId ? {} : { providerUserId }),
    ...(email === undefined ? {} : { email }),
    data,
  }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
