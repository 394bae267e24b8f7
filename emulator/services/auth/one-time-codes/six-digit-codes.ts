// Issues and checks one-time codes by e-mail, WhatsApp and SMS (docs/wire/auth.md#otp), stored in `auth_one_time_codes`. A code
// has six digits, is valid for ten minutes and allows five tries. A new code replaces the target's earlier one. The limit on
// codes per target also limits guessing, because each new code allows more tries (docs/wire/limits.md#codes).

import type { SchemaName } from '../../../core/names.ts'
import { HOUR_MILLIS, SECOND_MILLIS } from '../../../core/time.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { MESSAGE_MILLIS } from '../../../platform/messages/message.ts'
import { PLATFORM_NOW } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import {
  HOLDER_COLUMNS,
  holderCtes,
  holderOf,
  isKnown,
  type ProvenUser,
  type Target,
} from '../users/proven-user.ts'
import { lockHolder } from '../users/user-locks.ts'
import { FORGET_OLD } from './link-tokens.ts'

/** Lifetime of a code in platform milliseconds. */
export const CODE_MILLIS: number = MESSAGE_MILLIS.one_time_code
/** After this number of wrong tries, even the right code is refused. */
export const MAX_TRIES = 5
/** Maximum number of codes that one target gets within WINDOW_MILLIS. A completed sign-in resets the count. */
export const MAX_CODES = 30
/** Length of the window in platform milliseconds. The first counted code starts the window. */
const WINDOW_MILLIS: number = HOUR_MILLIS

const PURPOSE = 'one_time_code'
const DIGITS = 6
/** Random bytes per code. With 48 random bits, the probabilities of the million codes differ by less than one part in 10^8. */
const RANDOM_BYTES = 6

export type IssuedCode =
  | { readonly kind: 'issued'; readonly code: string; readonly isKnown: boolean }
  /** The target got too many codes. `seconds` is the time until the next one. */
  | { readonly kind: 'refused'; readonly seconds: number }

/**
 * Stores a new code in place of the target's earlier one. `isKnown` is true when a user has the address. Both cases do the
 * same work.
 */
export async function issueCode(
  { tables, ids }: Pick<AuthDeps, 'tables' | 'ids'>,
  schemaName: SchemaName,
  target: Target,
  mayCreateUser: boolean,
): Promise<IssuedCode> {
  const salt = ids.uuid()
  const code = drawCode(ids.bytes(RANDOM_BYTES))
  const [rows] = await tables.write(
    schemaName,
    sql`with issued as (
        insert into auth_one_time_codes as c (id, purpose, target, code_hash, facts, created_at, expires_at)
        values (${idOf(target)}, ${PURPOSE}, ${keyOf(target)}, ${saltedDigest(sql`${salt}::text`, code)},
          ${JSON.stringify({ mayCreateUser, sent: 1 })}::jsonb
            || pg_catalog.jsonb_build_object('since', ${PLATFORM_NOW}),
          ${PLATFORM_NOW},
          ${PLATFORM_NOW} + ${CODE_MILLIS}::float8 * interval '1 millisecond')
        on conflict (id) do update
        set code_hash = excluded.code_hash, failed_attempts = 0,
          created_at = excluded.created_at, expires_at = excluded.expires_at, spent_at = null,
          facts = excluded.facts || case when ${IS_COUNTED}
            then pg_catalog.jsonb_build_object('since', c.facts -> 'since', 'sent', ${SENT} + 1)
            else '{}' end
        where not ${IS_COUNTED} or ${SENT} < ${MAX_CODES}::integer
        returning id
      )
      select ${isKnown(target)}, exists (select from issued), (
        select pg_catalog.ceil(extract(epoch from ${WINDOW_END} - ${PLATFORM_NOW}))
        from auth_one_time_codes c where c.id = ${idOf(target)}
      )`,
    FORGET_OLD,
  )
  const [isKnownText, isIssued, seconds] = rows?.[0] ?? []
  if (isIssued === 't') return { kind: 'issued', code, isKnown: isKnownText === 't' }
  return { kind: 'refused', seconds: Number(seconds ?? WINDOW_MILLIS / SECOND_MILLIS) }
}

// Members of the JSON column `facts` in the row `c` of a stored code. Codes of earlier versions lack these members, so they are
// not counted.
const SENT = sql`(c.facts ->> 'sent')::integer`
const WINDOW_END = sql`((c.facts ->> 'since')::timestamptz + ${WINDOW_MILLIS}::float8 * interval '1 millisecond')`
/**
 * Whether the code belongs to a window that has not ended. The window's start may be up to a minute in the future, because
 * simultaneous requests can be stored in either order. A clock that was set back further begins a new window.
 */
const IS_COUNTED = sql`coalesce((c.facts ->> 'since')::timestamptz <= ${PLATFORM_NOW} + interval '1 minute' and ${WINDOW_END} > ${PLATFORM_NOW}, false)`

export type CodeVerdict =
  | {
      readonly kind: 'good'
      /** The user who has the address; `undefined` when no user has it yet. */
      readonly holder: ProvenUser | undefined
      /** Whether the request for the code allowed creating a user. */
      readonly mayCreateUser: boolean
    }
  /** `spoilt` means that there were too many wrong tries. `unknown` means that the target has no code. */
  | { readonly kind: 'wrong' | 'late' | 'spoilt' | 'unknown' }

/** Checks a code. The right code is marked as used and confirms the address. A wrong code counts as a try. */
export async function spendCode(
  { tables }: Pick<AuthDeps, 'tables'>,
  schemaName: SchemaName,
  target: Target,
  code: string,
): Promise<CodeVerdict> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockHolder(target),
    sql`with presented as (
        select id, target, facts, case
            when failed_attempts >= ${MAX_TRIES}::integer then 'spoilt'
            when spent_at is not null or expires_at <= ${PLATFORM_NOW} then 'late'
            when code_hash = ${saltedDigest(SALT_OF_ROW, code)} then 'good'
            else 'wrong'
          end as state
        from auth_one_time_codes
        where id = ${idOf(target)}
        for update
      ), counted as (
        update auth_one_time_codes c
        set failed_attempts = failed_attempts + case p.state when 'wrong' then 1 else 0 end,
          spent_at = case p.state when 'good' then ${PLATFORM_NOW} end,
          facts = case p.state when 'good' then c.facts - '{sent,since}'::text[] else c.facts end
        from presented p
        where c.id = p.id and p.state in ('good', 'wrong')
      ), proved as (
        select null::uuid as user_id, target from presented where state = 'good'
      ), ${holderCtes(target.kind)}
      select state, facts ->> 'mayCreateUser', ${HOLDER_COLUMNS} from presented`,
  )
  const [state, mayCreateUser, ...holder] = rows?.[0] ?? []
  switch (state) {
    case 'good':
      return { kind: state, holder: holderOf(holder), mayCreateUser: mayCreateUser === 'true' }
    case 'wrong':
    case 'late':
    case 'spoilt':
      return { kind: state }
    default:
      return { kind: 'unknown' }
  }
}

/** Turns random bytes into a code. */
export function drawCode(bytes: Uint8Array): string {
  const number = Buffer.from(bytes).readUIntBE(0, RANDOM_BYTES)
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

// Without a salt, equal codes would have equal digests.
function saltedDigest(salt: Sql, code: string): Sql {
  return sql`${salt} || ':' || ${digest(sql`${salt} || ':' || ${code}::text`)}`
}

const SALT_OF_ROW = sql`pg_catalog.split_part(code_hash, ':', 1)`

function digest(text: Sql): Sql {
  return sql`pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${text}, 'UTF8')), 'hex')`
}

// Derives the id from the target. So the primary key allows one code per target, also when several requests issue codes at once.
function idOf(target: Target): Sql {
  return sql`pg_catalog.left(${digest(sql`${PURPOSE}::text || ' ' || ${keyOf(target)}`)}, 32)::uuid`
}

function keyOf({ kind, address }: Target): Sql {
  return kind === 'email' ? sql`pg_catalog.lower(${address}::text)` : sql`${address}::text`
}
