// Tokens that are good once: links of e-mails and second-factor tokens, rows of `auth_one_time_codes`
// (docs/wire/auth.md#otp). Only digests are stored, and they find the row.
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Addresses } from '../../core/request-env.ts'
import { type Sql, sql } from '../../database/sql.ts'
import type { Project } from '../../projects/project.ts'
import { digestOf } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import {
  HOLDER_COLUMNS,
  holderCtes,
  holderOf,
  isKnown,
  type ProvenUser,
} from '../users/proven-user.ts'

/** Why a token was issued; one is good for its own purpose only. */
export type TokenPurpose = 'confirmation' | 'magic_link' | 'recovery' | 'mfa'

export interface TokenDraft {
  readonly purpose: TokenPurpose
  /** The user; `undefined` for the user who has the address when the token is spent. */
  readonly userId: string | undefined
  /** The e-mail address it is sent to. */
  readonly target: string | undefined
  readonly redirectTo: string | undefined
  readonly facts: JsonObject
  /** Platform milliseconds until it expires. */
  readonly lifetimeMillis: number
}

export type TokenState = 'good' | 'late' | 'spent'

export interface PresentedToken {
  readonly state: TokenState
  readonly id: string
  readonly userId: string | undefined
  readonly facts: JsonObject
}

/** A link as it was followed; `good` was spent by this very call. */
export interface FollowedLink {
  readonly state: TokenState
  readonly target: string
  readonly redirectTo: string
  readonly facts: JsonObject
  /** The user whom a good link proved; `undefined` when no user has the address. */
  readonly holder: ProvenUser | undefined
}

export type TokenDeps = Pick<AuthDeps, 'tables' | 'ids'>

/** Stores a fresh token and gives its text, for the addressee's eyes only. */
export async function issueToken(
  { tables, ids }: TokenDeps,
  schemaName: SchemaName,
  draft: TokenDraft,
): Promise<string> {
  const token = ids.secret('')
  await tables.write(schemaName, FORGET_OLD, insertion(draft, token))
  return token
}

/** The same for an address, and whether a user has it now. Both cases do the same work, so that time reveals nothing. */
export async function issueToAddress(
  { tables, ids }: TokenDeps,
  schemaName: SchemaName,
  draft: TokenDraft & { readonly target: string },
): Promise<{ readonly token: string; readonly isKnown: boolean }> {
  const token = ids.secret('')
  const [rows] = await tables.write(
    schemaName,
    sql`select ${isKnown({ kind: 'email', address: draft.target })}`,
    FORGET_OLD,
    insertion(draft, token),
  )
  return { token, isKnown: rows?.[0]?.[0] === 't' }
}

/** Says what a token is and leaves it unspent; `undefined` when it was never issued for this purpose. */
export async function readToken(
  { tables }: Pick<TokenDeps, 'tables'>,
  schemaName: SchemaName,
  purpose: TokenPurpose,
  token: string,
): Promise<PresentedToken | undefined> {
  const [rows] = await tables.read(
    schemaName,
    sql`select id, ${TOKEN_STATE}, user_id, facts::text from auth_one_time_codes ${where(purpose, token)}`,
  )
  const [id, state, userId, facts] = rows?.[0] ?? []
  if (typeof id !== 'string') return undefined
  return { id, state: stateOf(state), userId: userId ?? undefined, facts: factsOf(facts) }
}

/** Spends a link's token if it is good, and notes that its address is proved. `undefined` as in `readToken`. */
export async function followLink(
  { tables }: Pick<TokenDeps, 'tables'>,
  schemaName: SchemaName,
  purpose: 'confirmation' | 'magic_link',
  token: string,
): Promise<FollowedLink | undefined> {
  const [rows] = await tables.write(
    schemaName,
    sql`with presented as (
        select id, user_id, target, redirect_to, facts, ${TOKEN_STATE} as state
        from auth_one_time_codes ${where(purpose, token)}
        for update
      ), spent as (
        update auth_one_time_codes c set spent_at = pg_catalog.now()
        from presented p
        where c.id = p.id and p.state = 'good'
      ), proved as (
        select user_id, target from presented where state = 'good'
      ), ${holderCtes('email')}
      select state, target, redirect_to, facts::text, ${HOLDER_COLUMNS} from presented`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  const [state, target, redirectTo, facts, ...holder] = row
  return {
    state: stateOf(state),
    target: target ?? '',
    redirectTo: redirectTo ?? '',
    facts: factsOf(facts),
    holder: holderOf(holder),
  }
}

/** The condition under which a reset or a sign-in may still spend the token. */
export function goodToken(purpose: TokenPurpose, token: string): Sql {
  return sql`${where(purpose, token)} and ${TOKEN_STATE} = 'good'`
}

/** Runs with every issue: tokens that expired a week ago are deleted and then count as unknown. */
export const FORGET_OLD: Sql = sql`delete from auth_one_time_codes
  where expires_at < pg_catalog.now() - interval '7 days'`

const TOKEN_STATE = sql`case
    when spent_at is not null then 'spent'
    when expires_at > pg_catalog.now() then 'good'
    else 'late'
  end`

function where(purpose: TokenPurpose, token: string): Sql {
  return sql`where purpose = ${purpose} and code_hash = ${digestOf(token)}`
}

function insertion(draft: TokenDraft, token: string): Sql {
  return sql`insert into auth_one_time_codes (purpose, user_id, target, code_hash, redirect_to, facts, expires_at)
    values (${draft.purpose}, ${draft.userId ?? null}, ${draft.target ?? null}, ${digestOf(token)},
      ${draft.redirectTo ?? null}, ${JSON.stringify(draft.facts)}::jsonb,
      pg_catalog.now() + ${draft.lifetimeMillis}::float8 * interval '1 millisecond')`
}

function stateOf(text: string | null | undefined): TokenState {
  return text === 'good' || text === 'late' ? text : 'spent'
}

function factsOf(text: string | null | undefined): JsonObject {
  const facts = parseJson(text ?? '{}')
  return isJsonObject(facts) ? facts : {}
}

export type LinkType = 'confirmation' | 'magic_link'

/** The address a message carries. */
export function verifyLink(
  { authUrl }: Pick<Addresses, 'authUrl'>,
  { slug }: Pick<Project, 'slug'>,
  type: LinkType,
  token: string,
): string {
  return `${authUrl}/auth/v1/verify?${new URLSearchParams({ type, token, project: slug })}`
}
