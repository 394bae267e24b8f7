// Issues and checks single-use tokens: tokens in e-mail links, and second-factor tokens (docs/wire/auth.md#otp). The table
// `auth_one_time_codes` stores only the digests of tokens. The digest finds the row of a token.
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Addresses } from '../../../core/request-env.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { digestOf, PLATFORM_NOW } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { proofLapsed } from '../errors.ts'
import {
  HOLDER_COLUMNS,
  holderCtes,
  holderOf,
  isKnown,
  type ProvenUser,
  type Target,
} from '../users/proven-user.ts'
import { lockHolder, lockUser } from '../users/user-locks.ts'

/** The purpose that a token was issued for. The token is refused for any other purpose. */
export type TokenPurpose = 'confirmation' | 'magic_link' | 'recovery' | 'mfa'

export interface TokenDraft {
  readonly purpose: TokenPurpose
  /** The token's user. `undefined` means the user who has the address `target` when the token is used. */
  readonly userId: string | undefined
  /** The e-mail address that the token is sent to. */
  readonly target: string | undefined
  readonly redirectTo: string | undefined
  readonly facts: JsonObject
  /** Platform milliseconds until the token expires. */
  readonly lifetimeMillis: number
  /** See `ProvenUser.proof`. */
  readonly proof?: ProvenUser['proof']
}

export type TokenState = 'good' | 'late' | 'spent'

export interface PresentedToken {
  readonly state: TokenState
  readonly id: string
  readonly userId: string | undefined
  readonly facts: JsonObject
}

/** The state of a link that a user opened. `good` means that the link was valid and this call marked the link as used. */
export interface FollowedLink {
  readonly state: TokenState
  readonly target: string
  readonly redirectTo: string
  readonly facts: JsonObject
  /** The user whose address a valid link proved; `undefined` when no user has the address. */
  readonly holder: ProvenUser | undefined
}

export type TokenDeps = Pick<AuthDeps, 'tables' | 'ids'>

/**
 * Stores a new token of a user and returns its text, which only the addressee may see.
 * @throws {AuthError} `unauthorized` when the draft's proof is no longer true, or the user was deleted
 */
export async function issueToken(
  { tables, ids }: TokenDeps,
  schemaName: SchemaName,
  draft: TokenDraft & { readonly userId: string },
): Promise<string> {
  const token = ids.secret('')
  const [rows] = await tables.writeLocked(
    schemaName,
    lockUser(draft.userId),
    insertion(draft, token),
    FORGET_OLD,
  )
  if (rows?.[0] === undefined) throw proofLapsed()
  return token
}

/**
 * Returns the statements that store the token of a user who is created in the same transaction. The statements change nothing
 * when the user was not created.
 */
export function tokenOfNewUser(
  draft: TokenDraft & { readonly userId: string },
  token: string,
): readonly Sql[] {
  const proof = sql`exists (select from auth_users where id = ${draft.userId})`
  return [insertion({ ...draft, proof }, token), FORGET_OLD]
}

/**
 * Stores a token for an address. `isKnown` is true when a user has the address. Both cases do the same work, so that the
 * duration does not reveal which addresses have accounts. A new reset link replaces the address's earlier ones.
 */
export async function issueToAddress(
  { tables, ids }: TokenDeps,
  schemaName: SchemaName,
  draft: TokenDraft & { readonly target: string },
): Promise<{ readonly token: string; readonly isKnown: boolean }> {
  const token = ids.secret('')
  const target: Target = { kind: 'email', address: draft.target }
  const [rows] = await tables.writeLocked(
    schemaName,
    lockHolder(target),
    sql`select ${isKnown(target)}`,
    ...(draft.purpose === 'recovery' ? [spendResets(sql`${draft.target}::text`)] : []),
    insertion(draft, token),
    FORGET_OLD,
  )
  return { token, isKnown: rows?.[0]?.[0] === 't' }
}

/**
 * Reads a token's state without marking the token as used. Returns `undefined` when no such token was issued for this purpose.
 */
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

/**
 * Marks a link's token as used if it is valid, and confirms its address. Returns `undefined` when no such token was issued for
 * this purpose.
 */
export async function followLink(
  { tables }: Pick<TokenDeps, 'tables'>,
  schemaName: SchemaName,
  purpose: 'confirmation' | 'magic_link',
  token: string,
): Promise<FollowedLink | undefined> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockTokenHolder(purpose, token),
    sql`with presented as (
        select id, user_id, target, redirect_to, facts, ${TOKEN_STATE} as state
        from auth_one_time_codes ${where(purpose, token)}
        for update
      ), spent as (
        update auth_one_time_codes c set spent_at = ${PLATFORM_NOW}
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

/** Confirms an address that a user proved, and returns the user who has it. Returns `undefined` when no user has the address. */
export async function claimAddress(
  { tables }: Pick<TokenDeps, 'tables'>,
  schemaName: SchemaName,
  { kind, address }: Target,
): Promise<ProvenUser | undefined> {
  const [rows] = await tables.writeLocked(
    schemaName,
    lockHolder({ kind, address }),
    sql`with proved as (select null::uuid as user_id, ${address}::text as target), ${holderCtes(kind)}
      select ${HOLDER_COLUMNS} from proved`,
  )
  return holderOf(rows?.[0] ?? [])
}

/** Marks all reset links to an e-mail address as used. */
export function spendResets(target: Sql): Sql {
  return sql`update auth_one_time_codes set spent_at = ${PLATFORM_NOW}
    where purpose = 'recovery' and spent_at is null
      and pg_catalog.lower(target) = pg_catalog.lower(${target})`
}

/** Locks the user of a token, or the user who has the address that the token was sent to. */
export function lockTokenHolder(purpose: TokenPurpose, token: string): Sql {
  const issued = sql`from auth_one_time_codes ${where(purpose, token)}`
  return sql`select from auth_users
    where id = (select user_id ${issued}) or pg_catalog.lower(email) = (select pg_catalog.lower(target) ${issued})
    for update`
}

/** Returns a WHERE clause that matches the token only while it is valid and unused. */
export function goodToken(purpose: TokenPurpose, token: string): Sql {
  return sql`${where(purpose, token)} and ${TOKEN_STATE} = 'good'`
}

/** Returns a condition that is false after a change of the user's password, which deletes the user's tokens. */
export function isTokenKept(id: string): Sql {
  return sql`exists (select from auth_one_time_codes where id = ${id})`
}

/**
 * Deletes tokens that expired more than 7 days ago. The statement runs after a token or code was issued, because the insertion
 * locks the user, and users are locked before any other row.
 */
export const FORGET_OLD: Sql = sql`delete from auth_one_time_codes
  where expires_at < ${PLATFORM_NOW} - interval '7 days'`

const TOKEN_STATE = sql`case
    when spent_at is not null then 'spent'
    when expires_at > ${PLATFORM_NOW} then 'good'
    else 'late'
  end`

function where(purpose: TokenPurpose, token: string): Sql {
  return sql`where purpose = ${purpose} and code_hash = ${digestOf(token)}`
}

function insertion(draft: TokenDraft, token: string): Sql {
  return sql`insert into auth_one_time_codes (purpose, user_id, target, code_hash, redirect_to, facts, created_at, expires_at)
    select ${draft.purpose}, ${draft.userId ?? null}::uuid, ${draft.target ?? null}, ${digestOf(token)},
      ${draft.redirectTo ?? null}, ${JSON.stringify(draft.facts)}::jsonb, ${PLATFORM_NOW},
      ${PLATFORM_NOW} + ${draft.lifetimeMillis}::float8 * interval '1 millisecond'
    where ${draft.proof ?? sql`true`}
    returning id`
}

function stateOf(text: string | null | undefined): TokenState {
  return text === 'good' || text === 'late' ? text : 'spent'
}

function factsOf(text: string | null | undefined): JsonObject {
  const facts = parseJson(text ?? '{}')
  return isJsonObject(facts) ? facts : {}
}

export type LinkType = 'confirmation' | 'magic_link'

/** Returns the address of the link in a message. */
export function verifyLink(
  { authUrl }: Pick<Addresses, 'authUrl'>,
  { slug }: Pick<Project, 'slug'>,
  type: LinkType,
  token: string,
): string {
  return `${authUrl}/auth/v1/verify?${new URLSearchParams({ type, token, project: slug })}`
}
