// An end user as read from the tenant's tables and as sent on the wire (docs/wire/auth.md#user).
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import { identifier, type Sql, sql } from '../../../database/sql.ts'

/** The user record as sent on the wire. Timestamps are ISO 8601 UTC. */
export interface UserRecord extends JsonObject {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  readonly email_confirmed_at: string | null
  readonly phone_confirmed_at: string | null
  readonly last_sign_in_at: string | null
  readonly role: 'authenticated'
  readonly user_metadata: JsonObject
  readonly app_metadata: JsonObject
  readonly identities: readonly JsonObject[]
  readonly factors: readonly FactorRecord[]
  readonly created_at: string
  readonly updated_at: string
}

export interface FactorRecord extends JsonObject {
  readonly id: string
  readonly factor_type: 'totp'
  readonly friendly_name: string | null
  readonly status: 'unverified' | 'verified'
  readonly created_at: string
  readonly updated_at: string
}

// Function names are schema-qualified, so that the project owner's functions with the same names cannot run as auth_admin.
/** A select list entry with the whole record of `auth_users u` as JSON text, which `parseUser` reads. */
export const USER_JSON: Sql = sql`pg_catalog.json_build_object(
  'id', u.id, 'email', u.email, 'phone', u.phone,
  'email_confirmed_at', ${isoOf('email_confirmed_at')}, 'phone_confirmed_at', ${isoOf('phone_confirmed_at')},
  'last_sign_in_at', ${isoOf('last_sign_in_at')}, 'role', u.role,
  'user_metadata', u.user_metadata, 'app_metadata', u.app_metadata,
  'identities', coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object(
      'id', i.id, 'provider', i.provider, 'provider_user_id', i.provider_user_id, 'email', i.email,
      'identity_data', i.identity_data) order by i.created_at, i.id)
    from auth_identities i where i.user_id = u.id), '[]'),
  'factors', ${factorsWhere(sql`true`)},
  'created_at', ${isoOf('created_at')}, 'updated_at', ${isoOf('updated_at')})::text`

/** A select list entry with the verified factors of `auth_users u` as JSON text, in the form of USER_JSON. */
export const VERIFIED_FACTORS: Sql = sql`${factorsWhere(sql`f.status = 'verified'`)}::text`

/** Parses the text of USER_JSON. @throws {TypeError} when the text is no such record */
export function parseUser(text: string): UserRecord {
  const record = parseJson(text)
  if (!isJsonObject(record)) throw new TypeError('a user record is a JSON object')
  return record as UserRecord
}

function isoOf(column: string, table = 'u'): Sql {
  return sql`pg_catalog.to_char(${identifier(table, column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function factorsWhere(condition: Sql): Sql {
  return sql`coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object(
      'id', f.id, 'factor_type', f.factor_type, 'friendly_name', f.friendly_name, 'status', f.status,
      'created_at', ${isoOf('created_at', 'f')}, 'updated_at', ${isoOf('updated_at', 'f')}) order by f.created_at, f.id)
    from auth_mfa_factors f where f.user_id = u.id and ${condition}), '[]')`
}
