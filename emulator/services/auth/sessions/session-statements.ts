// SQL statements that open, change and end sessions. Each statement checks and changes in one step, so that two simultaneous
// requests cannot both succeed. Statements with a lock run as `AuthTables.writeLocked`.
import { type Sql, sql } from '../../../database/sql.ts'
import { PLATFORM_NOW } from '../auth-tables.ts'
import type { ProvenUser } from '../users/proven-user.ts'
import { USER_JSON } from '../users/user.ts'

/** For this number of seconds, a used refresh token returns the same new tokens again (docs/wire/auth.md#refresh). */
export const GRACE_SECONDS = 10

export interface SessionDraft {
  readonly sessionId: string
  readonly userId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
  /** JSON text of `amr`. */
  readonly methodsJson: string
  readonly userAgent: string | undefined
  readonly tokenDigest: string
  readonly proof: ProvenUser['proof']
}

/**
 * Requires `lockUser`. The statement returns one row. The first column has the user as JSON when the session was opened. The
 * second column says whether the user is banned, and is null when the user does not exist.
 */
export function openStatement(draft: SessionDraft): Sql {
  return sql`with u as (
      update auth_users set last_sign_in_at = ${PLATFORM_NOW}
      where id = ${draft.userId} and (banned_until is null or banned_until <= ${PLATFORM_NOW})
        and ${draft.proof ?? sql`true`}
      returning *
    ), opened as (
      insert into auth_sessions (id, user_id, aal, amr, user_agent, created_at)
      select ${draft.sessionId}, id, ${draft.assuranceLevel}, ${draft.methodsJson}::jsonb, ${draft.userAgent ?? null},
        ${PLATFORM_NOW}
      from u
      returning id
    ), token as (
      insert into auth_refresh_tokens (token_hash, session_id, created_at)
      select ${draft.tokenDigest}, id, ${PLATFORM_NOW} from opened
    )
    select (select ${USER_JSON} from u),
      (select coalesce(banned_until > ${PLATFORM_NOW}, false) from auth_users where id = ${draft.userId})`
}

export interface Rotation {
  readonly presentedDigest: string
  readonly freshDigest: string
  /** The new refresh token, encrypted by `sealReplacement`. */
  readonly sealed: string
}

/** Locks the session of a refresh token, as `lockSession` does. A session is always locked before its tokens. */
export function lockSessionOfToken(digest: string): Sql {
  return lockSession(sql`(select session_id from auth_refresh_tokens where token_hash = ${digest})`)
}

/**
 * Requires `lockSessionOfToken`. The statement returns one row with verdict, session id, aal, amr, user and encrypted
 * replacement. The statement returns no row for an unknown token. `again` means that the token was repeated within the grace
 * time. `reused` means that the token was repeated later, which ends the session.
 */
export function rotateStatement({ presentedDigest, freshDigest, sealed }: Rotation): Sql {
  return sql`with presented as (
      select t.id, t.session_id, s.user_id, s.aal, s.amr, t.replacement #>> '{}' as replacement,
        case
          when s.revoked_at is not null then 'ended'
          when u.banned_until > ${PLATFORM_NOW} then 'banned'
          when t.spent_at is null then 'rotated'
          when t.spent_at >= ${PLATFORM_NOW} - ${GRACE_SECONDS}::float8 * interval '1 second' then 'again'
          else 'reused'
        end as verdict
      from auth_refresh_tokens t
        join auth_sessions s on s.id = t.session_id
        join auth_users u on u.id = s.user_id
      where t.token_hash = ${presentedDigest}
      for update of t, s
    ), spent as (
      update auth_refresh_tokens t set spent_at = ${PLATFORM_NOW}, replacement = pg_catalog.to_jsonb(${sealed}::text)
      from presented p
      where t.id = p.id and p.verdict = 'rotated'
    ), fresh as (
      insert into auth_refresh_tokens (token_hash, session_id, created_at)
      select ${freshDigest}, session_id, ${PLATFORM_NOW} from presented where verdict = 'rotated'
    ), carried as (
      update auth_sessions s
      set refreshed_at = case p.verdict when 'rotated' then ${PLATFORM_NOW} else s.refreshed_at end,
        revoked_at = case p.verdict when 'reused' then ${PLATFORM_NOW} end
      from presented p
      where s.id = p.session_id and p.verdict in ('rotated', 'reused')
    )
    select p.verdict, p.session_id, p.aal, p.amr::text, ${USER_JSON}, p.replacement
    from presented p join auth_users u on u.id = p.user_id`
}

export interface StepUp {
  readonly sessionId: string
  /** JSON text of an entry in `amr`. The entry replaces an earlier one of the same method. */
  readonly methodJson: string
  readonly freshDigest: string
}

/** @param id the id of the session, a value or a subselect */
export function lockSession(id: Sql): Sql {
  return sql`select from auth_sessions where id = ${id} for update`
}

/**
 * Requires `lockSession`. Invalidates the session's other refresh tokens. The statement returns at most one row with session id,
 * aal, amr and user.
 */
export function stepUpStatement({ sessionId, methodJson, freshDigest }: StepUp): Sql {
  return sql`with raised as (
      update auth_sessions set aal = 'aal2', refreshed_at = ${PLATFORM_NOW}, amr = coalesce((
            select pg_catalog.jsonb_agg(m.entry order by m.position)
            from pg_catalog.jsonb_array_elements(amr) with ordinality m(entry, position)
            where m.entry -> 'method' is distinct from ${methodJson}::jsonb -> 'method'
          ), '[]') || ${methodJson}::jsonb
      where id = ${sessionId} and revoked_at is null
      returning id, user_id, aal, amr
    ), spent as (
      update auth_refresh_tokens set spent_at = ${PLATFORM_NOW}
      where session_id in (select id from raised) and spent_at is null
    ), fresh as (
      insert into auth_refresh_tokens (token_hash, session_id, created_at)
      select ${freshDigest}, id, ${PLATFORM_NOW} from raised
    )
    select raised.id, raised.aal, raised.amr::text, ${USER_JSON}
    from raised join auth_users u on u.id = raised.user_id`
}

/** While the session is active, the statement returns one row: the session's aal, and whether the user is banned. */
export function standingStatement(sessionId: string, userId: string): Sql {
  return sql`select s.aal, coalesce(u.banned_until > ${PLATFORM_NOW}, false)
    from auth_sessions s join auth_users u on u.id = s.user_id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.revoked_at is null`
}

export type EndScope = 'local' | 'global' | 'others'

/** The statement returns one row: the number of ended sessions. */
export function endStatement(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  scope: EndScope,
): Sql {
  const which = {
    local: sql`id = ${sessionId}`,
    global: sql`true`,
    others: sql`id <> ${sessionId}`,
  } as const satisfies Readonly<Record<EndScope, Sql>>
  return sql`with ended as (
      update auth_sessions set revoked_at = ${PLATFORM_NOW}
      where user_id = ${userId} and revoked_at is null and ${which[scope]}
      returning id
    )
    select pg_catalog.count(*) from ended`
}
