// Marks a TOTP code as used, together with the token or session that it raises (docs/wire/auth.md#mfa).
import type { SchemaName } from '../../../core/names.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { type AuthTables, PLATFORM_NOW } from '../auth-tables.ts'
import { isSessionActive, lockUser } from '../users/user-locks.ts'
import { type FactorTry, IS_GUARDED, TRIES } from './mfa-factors.ts'

export interface FactorUse extends FactorTry {
  /** Time step of the code. */
  readonly step: number
  /** Id of the second-factor token that is used together with the code; `undefined` when `ticket` is a session. */
  readonly tokenId: string | undefined
  /** The session's level. See `FactorDraft.assuranceLevel`. */
  readonly assuranceLevel: 'aal1' | 'aal2'
}

/** `spent`: another request used the code or the token first. `levelTooLow`: another request verified another factor first. */
export type FactorVerdict = 'used' | 'spent' | 'levelTooLow' | 'sessionEnded'

/** Marks the code's time step and the token as used, and the factor as verified. Only `used` changes anything. */
export async function useFactor(
  tables: AuthTables,
  schemaName: SchemaName,
  { assuranceLevel, factorId, userId, ticket, step, tokenId }: FactorUse,
): Promise<FactorVerdict> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(userId),
    sql`with found as (
        select f.id, case
            when not (${tokenId === undefined ? isSessionActive(ticket) : sql`true`}) then 'sessionEnded'
            when f.status = 'unverified' and ${IS_GUARDED} and ${assuranceLevel} <> 'aal2' then 'levelTooLow'
            when coalesce(${isUnused(step)}, true) then 'used'
          end as kind
        from auth_mfa_factors f where f.id = ${factorId}::uuid and f.user_id = ${userId}
      ), spent as (
        update auth_one_time_codes set spent_at = ${PLATFORM_NOW}
        where id = ${tokenId ?? null}::uuid and spent_at is null and exists (select from found where kind = 'used')
        returning id
      ), used as (
        update auth_mfa_factors
        set last_used_step = ${step}::bigint, status = 'verified',
          updated_at = case status when 'verified' then updated_at else ${PLATFORM_NOW} end
        where id in (select id from found where kind = 'used')
          and (${tokenId === undefined}::boolean or exists (select from spent))
        returning id
      ), cleared as (
        delete from auth_one_time_codes
        where purpose = ${TRIES} and target = ${ticket} and exists (select from used)
      )
      select kind, exists (select from used) from found`,
  )
  const [kind, isUsed] = rows?.[0] ?? []
  if (kind === 'sessionEnded' || kind === 'levelTooLow') return kind
  return isUsed === 't' ? 'used' : 'spent'
}

/** The last accepted code can be this many time steps ahead of another valid code, because clocks differ. */
const MAX_LEAD = 2

/**
 * Returns a condition that is true when the code's time step is later than the last accepted step. The condition is also true
 * when the last accepted step is more than MAX_LEAD steps ahead, because then the platform clock was set back.
 */
function isUnused(step: number): Sql {
  return sql`(last_used_step < ${step}::bigint or last_used_step > ${step + MAX_LEAD}::bigint)`
}
