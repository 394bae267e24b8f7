// Handles a provider's redirect to the callback: finds, links or creates the user and issues a code to exchange. One SQL
// statement does all of this, so that a state cannot be used twice (docs/wire/auth.md#social).
import type { SchemaName } from '../../../core/names.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import type { ProviderName } from '../auth-settings.ts'
import { digestOf, PLATFORM_NOW } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { foreignProofs, openTickets, soleProvider } from '../users/proven-user.ts'

/** Platform milliseconds until a code expires (docs/wire/auth.md#social). */
export const CODE_MILLIS: number = 5 * MINUTE_MILLIS

/** A provider's redirect to the callback. */
export interface ProviderReturn {
  readonly provider: ProviderName
  readonly state: string
  /** Whether this browser saw the consent page of this sign-in. */
  readonly isBound: boolean
  /** The provider's authorization code; absent when the provider reports an error. */
  readonly answer: string | undefined
  readonly mayCreateUser: boolean
}

/** Result of a callback. `failed` means that the provider reported an error, or that its code was not issued for this state. */
export type Landing =
  | { readonly kind: 'unknown' | 'spent' | 'late' | 'unbound' }
  | {
      readonly kind: 'failed' | 'banned' | 'emailTaken' | 'signupClosed'
      readonly redirectTo: string
    }
  | {
      readonly kind: 'signedIn'
      readonly redirectTo: string
      readonly userId: string
      /** The code that the client sends to POST /auth/v1/token/exchange. */
      readonly code: string
    }

/** Determines who signs in and marks the state as used. A request from another browser leaves the state unused. */
export async function landFlow(
  { tables, ids }: Pick<AuthDeps, 'tables' | 'ids'>,
  schemaName: SchemaName,
  arrival: ProviderReturn,
): Promise<Landing> {
  const code = ids.secret('')
  const statement = landing(arrival, ids.uuid(), code)
  const land = () => tables.writeLocked(schemaName, lockMeantUser(arrival), statement)
  let [row] = (await land())[0] ?? []
  // Another request created the user at the same time. The next try finds the user.
  if (row?.[0] === 'contended') [row] = (await land())[0] ?? []
  const [kind, redirectTo, userId] = row ?? []
  switch (kind) {
    case 'spent':
    case 'late':
    case 'unbound':
      return { kind }
    case 'signedIn':
      return { kind, redirectTo: redirectTo ?? '', userId: userId ?? '', code }
    case 'failed':
    case 'banned':
    case 'emailTaken':
    case 'signupClosed':
      return { kind, redirectTo: redirectTo ?? '' }
    default:
      return { kind: 'unknown' }
  }
}

// `holder` is the user with the account's address. The account is linked to the holder when the provider verified the address.
// An unconfirmed holder may be another person. Then the account's owner takes the user over, and all earlier ways of signing in
// are removed.
function landing(arrival: ProviderReturn, newUserId: string, code: string): Sql {
  const { provider } = arrival
  const squatted = sql`select id from linked where is_taken_over`
  return sql`with presented as (
      ${presentedFlow(arrival)}
    ), account as (
      select p.data, p.data ->> 'sub' as sub, p.data ->> 'email' as email,
        coalesce((p.data ->> 'email_verified')::boolean, false) as is_vouched,
        pg_catalog.jsonb_build_object('full_name', p.data -> 'full_name', 'avatar_url', p.data -> 'avatar_url') as profile
      from presented p where p.kind = 'proved'
    ), known as (
      select i.user_id as id from auth_identities i join account a on i.provider_user_id = a.sub
      where i.provider = ${provider}
    ), holder as (
      select u.id, a.is_vouched, u.email_confirmed_at is not null as is_confirmed
      from auth_users u join account a on pg_catalog.lower(u.email) = pg_catalog.lower(a.email)
      where not exists (select from known)
    ), made as (
      insert into auth_users (id, email, email_confirmed_at, user_metadata, app_metadata, created_at, updated_at)
      select ${newUserId}, a.email, case when a.is_vouched then ${PLATFORM_NOW} end, a.profile,
        ${soleProvider(provider)}, ${PLATFORM_NOW}, ${PLATFORM_NOW}
      from account a
      where ${arrival.mayCreateUser}::boolean
        and not exists (select from known) and not exists (select from holder)
      on conflict do nothing
      returning id
    ), meant as (
      select k.id, coalesce(u.banned_until > ${PLATFORM_NOW}, false) as is_banned
      from (select id from known union select id from holder where is_vouched) k join auth_users u on u.id = k.id
      union all
      select id, false from made
    ), welcome as (
      select id from meant where not is_banned
    ), linked as (
      ${linking(provider)}
    ), identity as (
      insert into auth_identities (user_id, provider, provider_user_id, email, identity_data, last_sign_in_at,
        created_at, updated_at)
      select w.id, ${provider}, a.sub, a.email, a.data, ${PLATFORM_NOW}, ${PLATFORM_NOW}, ${PLATFORM_NOW} from welcome w, account a
      on conflict (provider, provider_user_id) do update
      set email = excluded.email, identity_data = excluded.identity_data,
        last_sign_in_at = excluded.last_sign_in_at, updated_at = ${PLATFORM_NOW}
    ), forgotten as (
      delete from auth_credentials where user_id in (${squatted})
    ), ended as (
      update auth_sessions set revoked_at = ${PLATFORM_NOW}
      where user_id in (${squatted}) and revoked_at is null
    ), ${foreignProofs(squatted, undefined)}, ${openTickets(squatted)}, outcome as (
      select case
          when p.kind <> 'proved' then p.kind
          when exists (select from welcome) then 'signedIn'
          when exists (select from meant) then 'banned'
          when exists (select from holder) then 'emailTaken'
          when ${arrival.mayCreateUser}::boolean then 'contended'
          else 'signupClosed'
        end as kind
      from presented p
    ), settled as (
      update auth_flow_states f
      set spent_at = ${PLATFORM_NOW}, facts = '{}', user_id = w.id,
        code_hash = case when w.id is not null then ${digestOf(code)} end,
        code_expires_at = ${PLATFORM_NOW} + ${CODE_MILLIS}::float8 * interval '1 millisecond'
      from outcome o, presented p left join welcome w on true
      where f.id = p.id and p.kind in ('proved', 'failed') and o.kind <> 'contended'
    )
    select o.kind, p.redirect_to, (select id from welcome) from presented p, outcome o`
}

// Locks the user whom the account signs in, found by the identity or by the address.
function lockMeantUser({ provider, state }: ProviderReturn): Sql {
  const chosen = sql`from auth_flow_states where state_hash = ${digestOf(state)} and provider = ${provider}`
  return sql`select from auth_users
    where id = (
        select user_id from auth_identities
        where provider = ${provider} and provider_user_id = (select facts #>> '{account,sub}' ${chosen})
      ) or pg_catalog.lower(email) = (select pg_catalog.lower(facts #>> '{account,email}') ${chosen})
    for update`
}

function presentedFlow({ provider, state, isBound, answer }: ProviderReturn): Sql {
  return sql`select id, redirect_to, facts -> 'account' as data, case
        when spent_at is not null then 'spent'
        when expires_at <= ${PLATFORM_NOW} then 'late'
        when not ${isBound}::boolean then 'unbound'
        when facts ->> 'answer' = ${answer === undefined ? null : digestOf(answer)} then 'proved'
        else 'failed'
      end as kind
    from auth_flow_states
    where state_hash = ${digestOf(state)} and provider = ${provider}
    for update`
}

// Links the account to the user. Keeps a confirmed user's metadata and adds missing members from the provider's profile.
function linking(provider: ProviderName): Sql {
  const added = JSON.stringify([provider])
  return sql`update auth_users u
    set email_confirmed_at = coalesce(u.email_confirmed_at, ${PLATFORM_NOW}), updated_at = ${PLATFORM_NOW},
      user_metadata = case when h.is_confirmed then a.profile || u.user_metadata else a.profile end,
      app_metadata = case when not h.is_confirmed then ${soleProvider(provider)} else u.app_metadata || pg_catalog.jsonb_build_object('providers',
        case
          when u.app_metadata -> 'providers' @> ${added}::jsonb then u.app_metadata -> 'providers'
          else coalesce(u.app_metadata -> 'providers', '[]') || ${added}::jsonb
        end) end
    from holder h join welcome w on w.id = h.id, account a
    where u.id = h.id
    returning u.id, not h.is_confirmed as is_taken_over`
}
