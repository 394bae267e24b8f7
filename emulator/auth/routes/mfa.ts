// /auth/v1/mfa: a user's second factors: enrolled, listed, removed (docs/wire/auth.md#mfa).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { addFactor, MAX_FACTORS, removeFactor } from '../mfa-factors.ts'
import { factorNotFound, levelTooLow, requireFactorId } from '../mfa-refusals.ts'
import { decodeBody } from '../request-body.ts'
import { optionalName } from '../shapes.ts'
import { enrolTotp, TOTP_SECRET_BYTES } from '../totp.ts'
import { readUser } from '../users.ts'
import { verifyFactor } from './mfa-verify.ts'
import {
  type AuthContext,
  occasionOf,
  pathParam,
  type RouteTable,
  secretJson,
  userOf,
} from './route-table.ts'

const EnrolShape = z.object({ factorType: z.literal('totp'), friendlyName: optionalName })

export function mfaRoutes(deps: AuthDeps): RouteTable {
  return {
    '/auth/v1/mfa': { GET: (context) => list(deps, context) },
    '/auth/v1/mfa/enroll': { POST: (context) => enrol(deps, context) },
    '/auth/v1/mfa/verify': { POST: (context) => verifyFactor(deps, context) },
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

async function remove(deps: AuthDeps, context: AuthContext): Promise<Response> {
  const occasion = await occasionOf(deps, context)
  const { userId, assuranceLevel } = await userOf(deps, context, occasion)
  const factor = { factorId: requireFactorId(pathParam(context, 'id')), userId }
  switch (await removeFactor(deps.tables, occasion.project.schemaName, factor, assuranceLevel)) {
    case 'removed':
      return context.json({ deleted: true, id: factor.factorId })
    case 'levelTooLow':
      throw levelTooLow('remove a verified factor')
    case undefined:
      throw factorNotFound()
  }
}
