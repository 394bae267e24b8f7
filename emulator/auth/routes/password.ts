// PUT /auth/v1/user/password: a first password, or another one (docs/wire/auth.md#password).
import { z } from 'zod'
import { hashPassword } from '../../credentials/password-hash.ts'
import { AuthError } from '../errors.ts'
import { changePassword, checkPassword, passwordHashOf, requireStrength } from '../passwords.ts'
import { decodeBody } from '../request-body.ts'
import { passwordShape } from '../shapes.ts'
import { readUser } from '../users.ts'
import { type AuthRoutes, BODY_CODES, requestOf, userOf } from './route-table.ts'

const ChangeShape = z.object({
  new_password: passwordShape,
  current_password: passwordShape.nullish(),
})

export const PASSWORD_ROUTES: AuthRoutes = {
  'PUT /auth/v1/user/password': {
    operation: 'user.password',
    title: 'Sets the password',
    codes: [
      'current_password_required',
      'invalid_credentials',
      'weak_password',
      'insufficient_aal',
      ...BODY_CODES,
    ],
    handler: (deps) => async (context) => {
      const { tables, ids } = deps
      const request = await requestOf(deps, context)
      const { schemaName } = request.project
      const { userId, sessionId } = await userOf(deps, context, request)
      const body = await decodeBody(context.req.raw, ChangeShape)
      requireStrength(body.new_password, request.settings)
      const current = await passwordHashOf(tables, schemaName, userId)
      if (current !== undefined) await requireCurrent(current, body.current_password ?? undefined)
      const ended = await changePassword(tables, schemaName, {
        userId,
        passwordHash: await hashPassword(body.new_password, ids),
        replaces: current,
        keepSessionId: sessionId,
      })
      if (ended === undefined) throw wrongPassword('The password was changed meanwhile.')
      return context.json({
        criada: current === undefined,
        sessions_revoked: ended,
        user: (await readUser(tables, schemaName, userId)) ?? null,
      })
    },
  },
}

async function requireCurrent(hash: string, given: string | undefined): Promise<void> {
  if (given === undefined)
    throw new AuthError('current_password_required', 'The account has a password already.', {
      hint: 'Send it as current_password beside new_password.',
    })
  if (!(await checkPassword(given, hash))) throw wrongPassword('The current password is wrong.')
}

function wrongPassword(message: string): AuthError {
  return new AuthError('invalid_credentials', message)
}
