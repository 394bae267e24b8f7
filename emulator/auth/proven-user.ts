// Who has an address that was just proved by a code or a link, and what that proof changes (contract.md §6). Fragments of
// the statements that spend the proof, so that both happen or neither.
import { isJsonObject, parseJson } from '../core/json.ts'
import { identifier, type Sql, sql } from '../database/sql.ts'
import type { TextRow } from './auth-tables.ts'
import { type FactorRecord, VERIFIED_FACTORS } from './user.ts'

/** Where a message goes. E-mail addresses compare without case, phone numbers in the very same format. */
export interface Target {
  readonly kind: 'email' | 'phone'
  readonly address: string
}

/** Somebody who proved the first factor. */
export interface ProvenUser {
  readonly userId: string
  /** Not empty: a second factor is owed. */
  readonly verifiedFactors: readonly FactorRecord[]
}

/** A select list entry: whether a user has the address. */
export function isKnown({ kind, address }: Target): Sql {
  return sql`exists (select from auth_users u where ${hasAddress(kind, sql`${address}`)})`
}

/**
 * Common table expressions over `proved(user_id, target)`, which has a row when the proof was good: `u` is the user, of
 * that id or else of that address, confirmed from now on. Whoever took the address first without confirming it may have
 * been somebody else: the password and the sessions go.
 */
export function holderCtes(kind: Target['kind']): Sql {
  const confirmedAt = identifier(`${kind}_confirmed_at`)
  return sql`holder as (
      select user_id as id, false as is_taken_over from proved where user_id is not null
      union all
      select u.id, u.${confirmedAt} is null from auth_users u, proved
      where proved.user_id is null and ${hasAddress(kind, sql`proved.target`)}
    ), u as (
      update auth_users
      set ${confirmedAt} = coalesce(${confirmedAt}, pg_catalog.now()),
        updated_at = case when ${confirmedAt} is null then pg_catalog.now() else updated_at end
      where id in (select id from holder)
      returning *
    ), forgotten as (
      delete from auth_credentials where user_id in (select id from holder where is_taken_over)
    ), ended as (
      update auth_sessions set revoked_at = pg_catalog.now()
      where user_id in (select id from holder where is_taken_over) and revoked_at is null
    )`
}

/** Select list entries beside `holderCtes`, for `holderOf`. */
export const HOLDER_COLUMNS: Sql = sql`(select u.id from u), (select ${VERIFIED_FACTORS} from u)`

/** Reads what HOLDER_COLUMNS gave. */
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

function hasAddress(kind: Target['kind'], address: Sql): Sql {
  return kind === 'email'
    ? sql`pg_catalog.lower(u.email) = pg_catalog.lower(${address})`
    : sql`u.phone = ${address}`
}
