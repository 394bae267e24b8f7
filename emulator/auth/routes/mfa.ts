// /auth/v1/mfa: enrolment of authenticator apps and the second step of a sign-in (seed: "TOTP MFA enrolment";
// contract.md §6).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import {
  addFactor,
  type FactorTry,
  MAX_FACTORS,
  MAX_TOTP_TRIES,
  removeFactor,
  type TriedFactor,
  tryFactor,
  useFactor,
} from '../mfa-factors.ts'
import type { Occasion } from '../occasion.ts'
import { readToken } from '../one-time-codes.ts'
import { decodeBody } from '../request-body.ts'
import type { AuthMethod, SessionAnswer } from '../sessions.ts'
import { optionalName, secretShape } from '../shapes.ts'
import { enrolTotp, stepOfCode, TOTP_SECRET_BYTES } from '../totp.ts'
import { readUser } from '../users.ts'
import {
  type AuthContext,
  occasionOf,
  pathParam,
  type RouteTable,
  secretJson,
  userOf,
} from './route-table.ts'

const EnrolShape = z.object({ factorType: z.literal('totp'), friendlyName: optionalName })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const VerifyShape = z.object({
  factorId: z.string().min(1),
  code: secretShape,
  mfa_token: secretShape.nullish(),
})

export function mfaRoutes(deps: AuthDeps): RouteTable {
  return {
    '/auth/v1/mfa': { GET: (context) => list(deps, context) },
    '/auth/v1/mfa/enroll': { POST: (context) => enrol(deps, context) },
    '/auth/v1/mfa/verify': { POST: (context) => verify(deps, context) },
    '/auth/v1/mfa/:id': { DELETE: (context) => remove(deps, context) },
  }
}

async function list(deps: AuthDeps, context: AuthContext): Promise<Response> {
  const occasion = await occasionOf(deps, context)
  const { userId } = await userOf(deps, context, occasion)
  const user = await readUser(deps.tables, occasion.project.schemaName, userId)
  return context.json({ factors: user?.factors ?? [] })
}

async function enrol(deps: AuthDeps, context: AuthContext): Promise<Response> {
  const { tables, ids } = deps
  const occasion = await occasionOf(deps, context)
  const { schemaName, name } = occasion.project
  const { userId, assuranceLevel } = await userOf(deps, context, occasion)
  const { friendlyName } = await decodeBody(context.req.raw, EnrolShape)
  const user = await readUser(tables, schemaName, userId)
  const label = user?.email ?? user?.phone ?? userId
  const { secret, uri, qr } = enrolTotp(ids.bytes(TOTP_SECRET_BYTES), name, label)
  const id = ids.uuid()
  const draft = { id, userId, secret, friendlyName: friendlyName ?? undefined, assuranceLevel }
  switch (await addFactor(tables, schemaName, draft)) {
    case 'added':
      return secretJson(context, { id, secret, uri, qr })
    case 'levelTooLow':
      throw levelTooLow('add another factor')
    case 'tooMany':
      throw new AuthError('invalid_request', `A user may have at most ${MAX_FACTORS} factors.`, {
        hint: 'Remove one first.',
      })
    case undefined:
      throw new AuthError('unauthorized', 'The user no longer exists.')
  }
}

async function verify(deps: AuthDeps, context: AuthContext): Promise<Response> {
  const occasion = await occasionOf(deps, context)
  const { mfa_token, factorId, code } = await decodeBody(context.req.raw, VerifyShape)
  const ticket =
    typeof mfa_token === 'string'
      ? await ticketOfToken(deps, occasion, mfa_token)
      : await ticketOfSession(deps, occasion, context)
  context.env.facts.subject = ticket.userId
  const attempt = { factorId: requireId(factorId), userId: ticket.userId, ticket: ticket.id }
  const factor = await tryFactor(deps.tables, occasion.project.schemaName, attempt)
  requireUsable(factor, ticket)
  await spend(deps, occasion, { ...attempt, factor, code, ticket })
  return secretJson(context, await ticket.redeem())
}

/** What a caller may turn into a session of two factors. */
interface Ticket {
  /** Of the session or of the second-factor token: wrong codes are counted for it. */
  readonly id: string
  readonly userId: string
  /** The second-factor token, which is spent. */
  readonly tokenId: string | undefined
  readonly assuranceLevel: 'aal1' | 'aal2'
  redeem(): Promise<SessionAnswer>
}

async function ticketOfToken(
  { tables, sessions }: AuthDeps,
  occasion: Occasion,
  mfaToken: string,
): Promise<Ticket> {
  const token = await readToken({ tables }, occasion.project.schemaName, 'mfa', mfaToken)
  if (token?.state !== 'good' || token.userId === undefined)
    throw new AuthError('unauthorized', 'The mfa_token is unknown, spent or expired.', {
      hint: 'Sign in again; it is good for one sign-in within five minutes.',
    })
  const { id, userId, facts } = token
  // As mintMfaToken wrote it.
  const method = facts['method'] as AuthMethod
  return {
    id,
    userId,
    tokenId: id,
    assuranceLevel: 'aal1',
    redeem: () => sessions.open(occasion, userId, method, 'totp'),
  }
}

async function ticketOfSession(
  deps: AuthDeps,
  occasion: Occasion,
  context: AuthContext,
): Promise<Ticket> {
  const { sessionId, userId, assuranceLevel } = await userOf(deps, context, occasion)
  return {
    id: sessionId,
    userId,
    tokenId: undefined,
    assuranceLevel,
    redeem: () => deps.sessions.stepUp(occasion, sessionId),
  }
}

function requireUsable(
  factor: TriedFactor | undefined,
  { tokenId, assuranceLevel }: Ticket,
): asserts factor is TriedFactor {
  const isUnverified = factor?.status === 'unverified'
  if (factor === undefined || (isUnverified && tokenId !== undefined)) throw factorNotFound()
  if (isUnverified && factor.isGuarded && assuranceLevel !== 'aal2')
    throw levelTooLow('activate another factor')
  if (factor.isPaused)
    throw new AuthError(
      'too_many_attempts',
      `${MAX_TOTP_TRIES} codes in a row were wrong; even the right one is refused now.`,
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
  { project }: Occasion,
  { factorId, userId, factor, code, ticket }: CodeTry,
): Promise<void> {
  const step = stepOfCode(factor.secret, code, clock.now())
  if (step === undefined) throw invalidOtp('The code is wrong.')
  const use = { factorId, userId, ticket: ticket.id, step, tokenId: ticket.tokenId }
  const isNew = factor.lastUsedStep === undefined || factor.lastUsedStep < step
  if (!isNew || !(await useFactor(tables, project.schemaName, use)))
    throw invalidOtp('The code was used before; each is good once.')
}

async function remove(deps: AuthDeps, context: AuthContext): Promise<Response> {
  const occasion = await occasionOf(deps, context)
  const { userId, assuranceLevel } = await userOf(deps, context, occasion)
  const factor = { factorId: requireId(pathParam(context, 'id')), userId }
  switch (await removeFactor(deps.tables, occasion.project.schemaName, factor, assuranceLevel)) {
    case 'removed':
      return context.json({ deleted: true, id: factor.factorId })
    case 'levelTooLow':
      throw levelTooLow('remove a verified factor')
    case undefined:
      throw factorNotFound()
  }
}

function requireId(text: string): string {
  if (!UUID.test(text)) throw factorNotFound()
  return text.toLowerCase()
}

function levelTooLow(deed: string): AuthError {
  return new AuthError('insufficient_aal', `It takes a session of two factors (aal2) to ${deed}.`, {
    hint: 'Verify a code of a verified factor first: POST /auth/v1/mfa/verify.',
  })
}

function factorNotFound(): AuthError {
  return new AuthError('factor_not_found', 'The user has no such factor.', {
    hint: 'GET /auth/v1/mfa lists them; the second step of a sign-in takes verified ones only.',
  })
}

function invalidOtp(message: string): AuthError {
  return new AuthError('invalid_otp', message, {
    hint: 'Codes change every 30 seconds of platform time; the emulator’s clock may have been moved.',
  })
}
