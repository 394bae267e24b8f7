// Serves POST /auth/v1/mfa/verify, which completes a sign-in with a second factor and verifies new factors
// (docs/wire/auth.md#mfa).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { type AuthTables, PLATFORM_NOW } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, sessionEnded } from '../errors.ts'
import { isTokenKept, readToken } from '../one-time-codes/link-tokens.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { decodeBody, secretShape } from '../request/request-body.ts'
import { requestOf, secretJson, userOf } from '../request/route.ts'
import type { AuthMethod, SessionAnswer } from '../sessions/sessions.ts'
import { isSessionActive, lockUser } from '../users/user-locks.ts'
import {
  type FactorTry,
  factorNotFound,
  IS_GUARDED,
  levelTooLow,
  MAX_TOTP_TRIES,
  requireFactorId,
  TRIES,
  type TriedFactor,
  tryFactor,
} from './mfa-factors.ts'
import { stepOfCode } from './totp.ts'

interface Proof {
  readonly factorId: string
  readonly code: string
  readonly mfa_token?: string | null | undefined
}

export const VerifyShape: z.ZodType<Proof> = z.object({
  factorId: z.string().min(1),
  code: secretShape,
  mfa_token: secretShape.nullish(),
})

/** Checks a TOTP code for a session or an mfa_token and responds with an `aal2` session. */
export async function verifyFactor(deps: AuthDeps, context: HttpContext): Promise<Response> {
  const request = await requestOf(deps, context)
  const { mfa_token, factorId, code } = await decodeBody(context.req.raw, VerifyShape)
  const ticket =
    typeof mfa_token === 'string'
      ? await ticketOfToken(deps, request, mfa_token)
      : await ticketOfSession(deps, request, context)
  context.env.facts.subject = ticket.userId
  const attempt = { factorId: requireFactorId(factorId), userId: ticket.userId, ticket: ticket.id }
  const factor = await tryFactor(deps.tables, request.project.schemaName, attempt)
  requireUsable(factor, ticket)
  await spend(deps, request, { ...attempt, factor, code, ticket })
  return secretJson(context, await ticket.redeem())
}

/** The session or second-factor token that the caller wants to raise to `aal2`. */
interface Ticket {
  /** Id of the session or second-factor token. Wrong codes are counted under this id. */
  readonly id: string
  readonly userId: string
  /** Id of the second-factor token, which this request uses up; `undefined` for a session. */
  readonly tokenId: string | undefined
  readonly assuranceLevel: 'aal1' | 'aal2'
  redeem(): Promise<SessionAnswer>
}

async function ticketOfToken(
  { tables, sessions }: AuthDeps,
  request: AuthRequest,
  mfaToken: string,
): Promise<Ticket> {
  const token = await readToken({ tables }, request.project.schemaName, 'mfa', mfaToken)
  if (token?.state !== 'good' || token.userId === undefined)
    throw new AuthError('unauthorized', 'The mfa_token is unknown, expired or was used before.', {
      hint: 'Sign in again to get a new mfa_token. An mfa_token is valid once, for five minutes.',
    })
  const { id, userId, facts } = token
  // The cast is safe, because only `mintMfaToken` writes this value.
  const method = facts['method'] as AuthMethod
  return {
    id,
    userId,
    tokenId: id,
    assuranceLevel: 'aal1',
    redeem: () => sessions.open(request, { userId, proof: isTokenKept(id) }, method, 'totp'),
  }
}

async function ticketOfSession(
  deps: AuthDeps,
  request: AuthRequest,
  context: HttpContext,
): Promise<Ticket> {
  const { sessionId, userId, assuranceLevel } = await userOf(deps, context, request)
  return {
    id: sessionId,
    userId,
    tokenId: undefined,
    assuranceLevel,
    redeem: () => deps.sessions.stepUp(request, sessionId),
  }
}

function requireUsable(
  factor: TriedFactor | undefined,
  { tokenId, assuranceLevel }: Ticket,
): asserts factor is TriedFactor {
  const isUnverified = factor?.status === 'unverified'
  if (factor === undefined || (isUnverified && tokenId !== undefined)) throw factorNotFound()
  if (isUnverified && factor.isGuarded && assuranceLevel !== 'aal2') throw activationTooLow()
  if (factor.isPaused)
    throw new AuthError(
      'too_many_attempts',
      `${MAX_TOTP_TRIES} codes in a row were wrong, so every code is refused for now.`,
      { hint: 'Sign in again, or wait five minutes.' },
    )
}

interface CodeTry extends Omit<FactorTry, 'ticket'> {
  readonly factor: TriedFactor
  readonly code: string
  readonly ticket: Ticket
}

async function spend(
  { tables, clock }: AuthDeps,
  { project }: AuthRequest,
  { factorId, userId, factor, code, ticket }: CodeTry,
): Promise<void> {
  const step = stepOfCode(factor.secret, code, clock.now())
  if (step === undefined) throw invalidOtp('The code is wrong.')
  const { assuranceLevel, id, tokenId } = ticket
  const use = { factorId, userId, ticket: id, step, tokenId, assuranceLevel }
  switch (await useFactor(tables, project.schemaName, use)) {
    case 'used':
      return
    case 'levelTooLow':
      throw activationTooLow()
    case 'sessionEnded':
      throw sessionEnded()
    case 'spent':
      throw invalidOtp('The code was used before. Each code is valid once.')
  }
}

function activationTooLow(): AuthError {
  return levelTooLow('activate another factor')
}

function invalidOtp(message: string): AuthError {
  return new AuthError('invalid_otp', message, {
    hint: 'Enter the current code. Codes change every 30 seconds of platform time, so check whether the emulator’s clock was moved.',
  })
}

// Marks a TOTP code as used, together with the token or session that it raises (docs/wire/auth.md#mfa).
interface FactorUse extends FactorTry {
  /** Time step of the code. */
  readonly step: number
  /** Id of the second-factor token that is used together with the code; `undefined` when `ticket` is a session. */
  readonly tokenId: string | undefined
  /** The session's level. See `FactorDraft.assuranceLevel`. */
  readonly assuranceLevel: 'aal1' | 'aal2'
}

/** `spent`: another request used the code or the token first. `levelTooLow`: another request verified another factor first. */
type FactorVerdict = 'used' | 'spent' | 'levelTooLow' | 'sessionEnded'

/**
 * Marks the code's time step and the token as used, and the factor as verified. Nothing is stored unless the result is
 * `used`.
 */
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
