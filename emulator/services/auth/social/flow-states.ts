// Stores social sign-ins from /authorize to /token/exchange as rows of the tenant's `auth_flow_states` (RFC 7636;
// docs/wire/auth.md#social). A row has digests of the state, the provider's code and the platform's code. The state and each
// code can be used once.
import { isJsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import type { ProviderName } from '../auth-settings.ts'
import { digestOf, PLATFORM_NOW } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { HOLDER_COLUMNS, holderOf, type ProvenUser } from '../users/proven-user.ts'
import { VERIFIED_FACTORS } from '../users/user.ts'
import { accountOf, type ProviderAccount } from './providers.ts'

export type FlowDeps = Pick<AuthDeps, 'tables' | 'ids'>

/** Platform milliseconds that a user has to complete the provider's page. */
export const FLOW_MILLIS: number = 10 * MINUTE_MILLIS

export interface FlowDraft {
  readonly provider: ProviderName
  readonly state: string
  readonly challenge: string
  readonly redirectTo: string
}

/** Stores a new sign-in and deletes sign-ins that expired more than a day ago. */
export async function openFlow(
  { tables }: Pick<FlowDeps, 'tables'>,
  schemaName: SchemaName,
  { provider, state, challenge, redirectTo }: FlowDraft,
): Promise<void> {
  await tables.write(
    schemaName,
    sql`delete from auth_flow_states where expires_at < ${PLATFORM_NOW} - interval '1 day'`,
    sql`insert into auth_flow_states
        (provider, state_hash, code_challenge, code_challenge_method, redirect_to, created_at, expires_at)
      values (${provider}, ${digestOf(state)}, ${challenge}, 'S256', ${redirectTo}, ${PLATFORM_NOW},
        ${PLATFORM_NOW} + ${FLOW_MILLIS}::float8 * interval '1 millisecond')`,
  )
}

export interface OpenFlow {
  readonly redirectTo: string
  /** Accounts of the provider that have signed in to this project, latest first. */
  readonly usedAccounts: readonly ProviderAccount[]
}

/** The consent page lists no more accounts than this. */
const MAX_USED_ACCOUNTS = 20

/**
 * Finds the sign-in that waits for the provider's answer. Returns `undefined` when the state is unknown, expired or already
 * used.
 */
export async function findOpenFlow(
  { tables }: Pick<FlowDeps, 'tables'>,
  schemaName: SchemaName,
  provider: ProviderName,
  state: string,
): Promise<OpenFlow | undefined> {
  const [flows, identities] = await tables.read(
    schemaName,
    sql`select redirect_to from auth_flow_states
      where state_hash = ${digestOf(state)} and provider = ${provider}
        and spent_at is null and expires_at > ${PLATFORM_NOW}`,
    sql`select identity_data::text from auth_identities where provider = ${provider}
      order by last_sign_in_at desc nulls last, id limit ${MAX_USED_ACCOUNTS}::int`,
  )
  const redirectTo = flows?.[0]?.[0]
  if (typeof redirectTo !== 'string') return undefined
  return {
    redirectTo,
    usedAccounts: (identities ?? []).flatMap(([text]) => usedAccount(provider, text ?? '')),
  }
}

/**
 * Stores the account that the user chose and returns the authorization code that the provider sends to the callback. Returns
 * `undefined` when the state is no longer open.
 */
export async function answerFlow(
  { tables, ids }: FlowDeps,
  schemaName: SchemaName,
  { provider, state }: Pick<FlowDraft, 'provider' | 'state'>,
  account: ProviderAccount,
): Promise<string | undefined> {
  const answer = ids.secret('')
  const facts = { account, answer: digestOf(answer) }
  const [rows] = await tables.write(
    schemaName,
    sql`update auth_flow_states set facts = ${JSON.stringify(facts)}::jsonb
      where state_hash = ${digestOf(state)} and provider = ${provider}
        and spent_at is null and expires_at > ${PLATFORM_NOW}
      returning id`,
  )
  return rows?.length === 1 ? answer : undefined
}

/** Result of presenting a code. `good` and `mismatch` mean that this call marked the code as used. */
export type PresentedCode =
  | { readonly kind: 'good'; readonly user: ProvenUser }
  | { readonly kind: 'mismatch' | 'spent' | 'late' | 'unknown' }

/**
 * Marks a code as used, also when the verifier's challenge does not match. `unknown` means that this project did not issue the
 * code.
 */
export async function spendCode(
  { tables }: Pick<FlowDeps, 'tables'>,
  schemaName: SchemaName,
  code: string,
  challenge: string,
): Promise<PresentedCode> {
  const [rows] = await tables.write(
    schemaName,
    sql`with presented as (
        select id, user_id, case
            when facts @> '{"exchanged": true}' then 'spent'
            when code_expires_at <= ${PLATFORM_NOW} then 'late'
            when code_challenge = ${challenge} then 'good'
            else 'mismatch'
          end as kind
        from auth_flow_states
        where code_hash = ${digestOf(code)}
        for update
      ), u as (
        select * from auth_users where id in (select user_id from presented)
      ), factors as (
        select ${VERIFIED_FACTORS} as owed from u
      ), spent as (
        update auth_flow_states f set facts = '{"exchanged": true}'
        from presented p
        where f.id = p.id and p.kind in ('good', 'mismatch')
      )
      select p.kind, ${HOLDER_COLUMNS} from presented p`,
  )
  const [kind, ...holder] = rows?.[0] ?? []
  const user = holderOf(holder)
  if (kind === 'good' && user !== undefined)
    return { kind, user: { ...user, proof: isFlowKept(code) } }
  return kind === 'mismatch' || kind === 'spent' || kind === 'late' ? { kind } : { kind: 'unknown' }
}

// Returns a condition that is false after a change of the user's password, which deletes the user's sign-ins.
function isFlowKept(code: string): Sql {
  return sql`exists (select from auth_flow_states where code_hash = ${digestOf(code)})`
}

function usedAccount(provider: ProviderName, text: string): readonly ProviderAccount[] {
  const { email, full_name: name, email_verified: emailVerified } = objectOf(text)
  if (typeof email !== 'string' || typeof name !== 'string') return []
  return [accountOf(provider, { name, email, emailVerified: emailVerified !== false })]
}

function objectOf(text: string) {
  const value = parseJson(text)
  return isJsonObject(value) ? value : {}
}
