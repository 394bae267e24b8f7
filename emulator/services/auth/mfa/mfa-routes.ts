// Routes of /auth/v1/mfa that enrol, list and remove a user's second factors (docs/wire/auth.md#mfa).
import { z } from 'zod'
import { type HttpContext, pathParam } from '../../../core/mount-routes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, sessionEnded } from '../errors.ts'
import { decodeBody, optionalName } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  requestOf,
  SIGNED_IN_CODES,
  secretJson,
  userOf,
} from '../request/route.ts'
import { readUser } from '../users/users.ts'
import {
  addFactor,
  factorNotFound,
  levelTooLow,
  MAX_FACTORS,
  removeFactor,
  requireFactorId,
} from './mfa-factors.ts'
import { enrolTotp, TOTP_SECRET_BYTES } from './totp.ts'
import { VerifyShape, verifyFactor } from './verify-factor.ts'

const EnrolShape = z.object({ factorType: z.literal('totp'), friendlyName: optionalName })

export const MFA_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/mfa': {
    operation: 'mfa.list',
    title: 'Lists second factors',
    codes: SIGNED_IN_CODES,
    handler: (deps) => (context) => list(deps, context),
  },
  'POST /auth/v1/mfa/enroll': {
    operation: 'mfa.enroll',
    title: 'Enrols a second factor',
    codes: ['insufficient_aal', ...SIGNED_IN_CODES, ...BODY_CODES],
    body: EnrolShape,
    handler: (deps) => (context) => enrol(deps, context),
  },
  'POST /auth/v1/mfa/verify': {
    operation: 'mfa.verify',
    title: 'Proves a second factor',
    codes: [
      'invalid_otp',
      'factor_not_found',
      'insufficient_aal',
      'too_many_attempts',
      ...SIGNED_IN_CODES,
      ...BODY_CODES,
    ],
    body: VerifyShape,
    handler: (deps) => (context) => verifyFactor(deps, context),
  },
  'DELETE /auth/v1/mfa/:factor': {
    operation: 'mfa.remove',
    title: 'Removes a second factor',
    codes: ['factor_not_found', 'insufficient_aal', ...SIGNED_IN_CODES],
    handler: (deps) => (context) => remove(deps, context),
  },
}

async function list(deps: AuthDeps, context: HttpContext): Promise<Response> {
  const request = await requestOf(deps, context)
  const { userId } = await userOf(deps, context, request)
  const user = await readUser(deps.tables, request.project.schemaName, userId)
  return context.json({ factors: user?.factors ?? [] })
}

async function enrol(deps: AuthDeps, context: HttpContext): Promise<Response> {
  const { tables, ids } = deps
  const request = await requestOf(deps, context)
  const { schemaName, name } = request.project
  const { assuranceLevel, sessionId, userId } = await userOf(deps, context, request)
  const { friendlyName } = await decodeBody(context.req.raw, EnrolShape)
  const user = await readUser(tables, schemaName, userId)
  const label = user?.email ?? user?.phone ?? userId
  const { secret, uri, qr } = enrolTotp(ids.bytes(TOTP_SECRET_BYTES), name, label)
  const id = ids.uuid()
  const draft = {
    id,
    userId,
    sessionId,
    secret,
    friendlyName: friendlyName ?? undefined,
    assuranceLevel,
  }
  switch (await addFactor(tables, schemaName, draft)) {
    case 'added':
      return secretJson(context, { id, secret, uri, qr })
    case 'levelTooLow':
      throw levelTooLow('add another factor')
    case 'tooMany':
      throw new AuthError('invalid_request', `A user may have at most ${MAX_FACTORS} factors.`, {
        hint: 'Remove a factor first.',
      })
    case undefined:
      throw sessionEnded()
  }
}

async function remove(deps: AuthDeps, context: HttpContext): Promise<Response> {
  const request = await requestOf(deps, context)
  const { userId, assuranceLevel } = await userOf(deps, context, request)
  const factor = { factorId: requireFactorId(pathParam(context, 'factor')), userId }
  switch (await removeFactor(deps.tables, request.project.schemaName, factor, assuranceLevel)) {
    case 'removed':
      return context.json({ deleted: true, id: factor.factorId })
    case 'levelTooLow':
      throw levelTooLow('remove a verified factor')
    case undefined:
      throw factorNotFound()
  }
}
