// SQL fragments for the user of an address that a code or link proved (docs/wire/auth.md#magic-link). The statement that marks
// the proof as used contains the fragments, so both changes commit together.
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { identifier, type Sql, sql } from '../../../database/sql.ts'
import { PLATFORM_NOW, type TextRow } from '../auth-tables.ts'
import { type FactorRecord, VERIFIED_FACTORS } from './user.ts'

/** The address that a message goes to. E-mail addresses are compared ignoring case, phone numbers exactly. */
export interface Target {
  readonly kind: 'email' | 'phone'
  readonly address: string
}

/** A user who proved the first factor. */
export interface ProvenUser {
  readonly userId: string
  /** The user's verified second factors. The sign-in requires a second factor when the list is not empty. */
  readonly verifiedFactors: readonly FactorRecord[]
  /**
   * A condition over the tenant's tables, which is checked again when the session is opened. A change of the password makes the
   * condition false. Absent for a user who proved an address.
   */
  readonly proof?: Sql
}

/** Returns a select list entry that is true when a user has the address. */
export function isKnown({ kind, address }: Target): Sql {
  return sql`exists (select from auth_users u where ${hasAddress(kind, sql`${address}`)})`
}

/**
 * Common table expressions over `proved(user_id, target)`, which has a row when the proof was valid. `u` is the user with the id
 * `user_id`, or else the user with the address `target`. The address is confirmed when `target` is not null. An unconfirmed user
 * with the address can be another person, so this user's password, sessions, identities and factors are removed.
 */
export function holderCtes(kind: Target['kind']): Sql {
  const confirmedAt = identifier(`${kind}_confirmed_at`)
  const squatted = sql`select id from holder where is_taken_over`
  return sql`holder as (
      select user_id as id, false as is_taken_over, target is not null as has_proof
      from proved where user_id is not null
      union all
      select u.id, u.${confirmedAt} is null, true from auth_users u, proved
      where proved.user_id is null and ${hasAddress(kind, sql`proved.target`)}
    ), u as (
      update auth_users
      set ${confirmedAt} = coalesce(${confirmedAt}, case when h.has_proof then ${PLATFORM_NOW} end),
        updated_at = case when ${confirmedAt} is null and h.has_proof then ${PLATFORM_NOW} else updated_at end,
        app_metadata = case when h.is_taken_over then ${soleProvider(kind)} else app_metadata end
      from holder h
      where auth_users.id = h.id
      returning auth_users.*
    ), factors as (
      select ${VERIFIED_FACTORS} as owed from u where u.id not in (${squatted})
    ), forgotten as (
      delete from auth_credentials where user_id in (${squatted})
    ), ended as (
      update auth_sessions set revoked_at = ${PLATFORM_NOW}
      where user_id in (${squatted}) and revoked_at is null
    ), ${foreignProofs(squatted, kind)}, ${ownProof(squatted, kind)}, ${openTickets(squatted)}`
}

/** `app_metadata` of a user with a single provider. */
export function soleProvider(provider: string): Sql {
  return sql`${JSON.stringify({ provider, providers: [provider] })}::jsonb`
}

/**
 * Common table expressions that delete the second factors and identities of `users` (a select of ids), except identities of the
 * provider `kept`. The deleted rows can belong to another person who used the address before its owner proved it.
 */
export function foreignProofs(users: Sql, kept: string | undefined): Sql {
  return sql`unguarded as (
      delete from auth_mfa_factors where user_id in (${users})
    ), unlinked as (
      delete from auth_identities where user_id in (${users}) and provider is distinct from ${kept ?? null}
    )`
}

/** A common table expression that gives `users` (a select of ids) the identity of their own address, if they have none. */
export function ownProof(users: Sql, kind: Target['kind']): Sql {
  const address = identifier('o', kind)
  return sql`rooted as (
      insert into auth_identities (user_id, provider, provider_user_id, email, identity_data, last_sign_in_at,
        created_at, updated_at)
      select o.id, ${kind}, o.id::text, ${kind === 'email' ? address : sql`null`},
        pg_catalog.jsonb_build_object('sub', o.id::text, ${kind}::text, ${address}), ${PLATFORM_NOW},
        ${PLATFORM_NOW}, ${PLATFORM_NOW}
      from auth_users o where o.id in (${users})
      on conflict (provider, provider_user_id) do nothing
    )`
}

/** Common table expressions that invalidate the second-factor tokens, links and codes of `users` (a select of ids). */
export function openTickets(users: Sql): Sql {
  return sql`voided as (
      delete from auth_one_time_codes where user_id in (${users})
    ), lapsed as (
      delete from auth_flow_states where user_id in (${users})
    )`
}

/** Select list entries for `holderOf`, read from the common table expressions `u` and `factors`. */
export const HOLDER_COLUMNS: Sql = sql`(select u.id from u), (select owed from factors)`

/** Reads the values of HOLDER_COLUMNS from a row. */
export function holderOf([userId, factors]: TextRow): ProvenUser | undefined {
  if (typeof userId !== 'string') return undefined
  const records = parseJson(factors ?? '[]')
  return {
    userId,
    verifiedFactors: Array.isArray(records)
      ? records.filter(isJsonObject).map((record) => record as FactorRecord)
      : [],
  }
}

/** Returns a condition that is true when the user `auth_users u` has the address. */
export function hasAddress(kind: Target['kind'], address: Sql): Sql {
  return kind === 'email'
    ? sql`pg_catalog.lower(u.email) = pg_catalog.lower(${address})`
    : sql`u.phone = ${address}`
}
