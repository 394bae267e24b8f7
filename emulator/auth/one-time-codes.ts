// What may be spent once: link tokens of e-mails and second-factor tokens, rows of `auth_one_time_codes` (contract.md §6).
// Only digests are stored; a token's own 256 bits find its row.
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts'
import type { SchemaName } from '../core/names.ts'
import { sql } from '../database/sql.ts'
import type { AuthDeps } from './deps.ts'
import { digestOf } from './digest.ts'

/** Why a token was issued; one is good for its own purpose only. */
export type TokenPurpose = 'confirmation' | 'magic_link' | 'recovery' | 'mfa'

export interface TokenDraft {
  readonly purpose: TokenPurpose
  readonly userId: string | undefined
  /** The address it is sent to. */
  readonly target: string | undefined
  readonly redirectTo: string | undefined
  readonly facts: JsonObject
  /** Platform milliseconds until it is late. */
  readonly lifetimeMillis: number
}

export interface PresentedToken {
  /** `good` was spent by this very call. */
  readonly state: 'good' | 'late' | 'spent'
  readonly id: string
  readonly userId: string | undefined
  readonly target: string | undefined
  readonly redirectTo: string | undefined
  readonly facts: JsonObject
}

export type TokenDeps = Pick<AuthDeps, 'tables' | 'ids'>

/** Stores a fresh token and gives its text, for the addressee's eyes only. */
export async function issueToken(
  { tables, ids }: TokenDeps,
  schemaName: SchemaName,
  draft: TokenDraft,
): Promise<string> {
  const token = ids.secret('')
  await tables.write(
    schemaName,
    sql`insert into auth_one_time_codes (purpose, user_id, target, code_hash, redirect_to, facts, expires_at)
      values (${draft.purpose}, ${draft.userId ?? null}, ${draft.target ?? null}, ${digestOf(token)},
        ${draft.redirectTo ?? null}, ${JSON.stringify(draft.facts)}::jsonb,
        now() + ${draft.lifetimeMillis}::float8 * interval '1 millisecond')`,
  )
  return token
}

/** Spends a token if it is good, and says what it was; `undefined` when it was never issued for this purpose. */
export async function spendToken(
  { tables }: Pick<TokenDeps, 'tables'>,
  schemaName: SchemaName,
  purpose: TokenPurpose,
  token: string,
): Promise<PresentedToken | undefined> {
  const [rows] = await tables.write(
    schemaName,
    sql`with presented as (
        select id, user_id, target, redirect_to, facts, spent_at, expires_at
        from auth_one_time_codes
        where purpose = ${purpose} and code_hash = ${digestOf(token)}
        for update
      ), spent as (
        update auth_one_time_codes c set spent_at = now()
        from presented p
        where c.id = p.id and p.spent_at is null and p.expires_at > now()
      )
      select case when spent_at is not null then 'spent' when expires_at > now() then 'good' else 'late' end,
        id, user_id, target, redirect_to, facts::text
      from presented`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  const [state, id, userId, target, redirectTo, facts] = row
  return {
    state: state as PresentedToken['state'],
    id: id ?? '',
    userId: userId ?? undefined,
    target: target ?? undefined,
    redirectTo: redirectTo ?? undefined,
    facts: factsOf(facts ?? '{}'),
  }
}

function factsOf(text: string): JsonObject {
  const facts = parseJson(text)
  return isJsonObject(facts) ? facts : {}
}
