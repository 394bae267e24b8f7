// Routes that set a password: PUT /auth/v1/user/password, POST /auth/v1/password/forgot and /password/reset
// (docs/wire/auth.md#password, docs/wire/auth.md#recovery).
import { z } from 'zod'
import { SECOND_MILLIS } from '../../../core/time.ts'
import { hashPassword } from '../../../platform/credentials/password-hash.ts'
import type { OutgoingMessage } from '../../../platform/messages/message.ts'
import { MESSAGE_MILLIS } from '../../../platform/messages/message.ts'
import { AuthError, invalidRequest } from '../errors.ts'
import { issueToAddress, readToken } from '../one-time-codes/link-tokens.ts'
import { requireRedirect, withFragment } from '../request/redirects.ts'
import { decodeBody, emailShape, passwordShape, secretShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  requestOf,
  SIGNED_IN_CODES,
  userOf,
} from '../request/route.ts'
import { readUser } from '../users/users.ts'
import {
  changePassword,
  checkPassword,
  passwordHashOf,
  requireStrength,
  resetPassword,
} from './passwords.ts'

const ChangeShape = z.object({
  new_password: passwordShape,
  current_password: passwordShape.nullish(),
})

const LINK_MILLIS = MESSAGE_MILLIS.password_reset

const ResetShape = z.object({
  token: secretShape,
  new_password: passwordShape.nullish(),
  password: passwordShape.nullish(),
})

const ForgotShape = z.object({ email: emailShape, redirect_to: z.string().nullish() })

export const PASSWORD_ROUTES: AuthRoutes = {
  'PUT /auth/v1/user/password': {
    operation: 'user.password',
    title: 'Sets the password',
    codes: [
      'current_password_required',
      'invalid_credentials',
      'weak_password',
      'insufficient_aal',
      ...SIGNED_IN_CODES,
      ...BODY_CODES,
    ],
    body: ChangeShape,
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
        sessionId,
      })
      if (ended === undefined)
        throw wrongPassword(
          'Another request changed the password or ended the session at the same time.',
        )
      return context.json({
        criada: current === undefined,
        sessions_revoked: ended,
        user: (await readUser(tables, schemaName, userId)) ?? null,
      })
    },
  },
  'POST /auth/v1/password/forgot': {
    operation: 'password.forgot',
    title: 'Sends a link to reset the password',
    codes: ['invalid_redirect', ...BODY_CODES],
    body: ForgotShape,
    handler: (deps) => async (context) => {
      const { project, settings } = await requestOf(deps, context)
      const { email, redirect_to } = await decodeBody(context.req.raw, ForgotShape)
      const redirectTo = requireRedirect(settings, redirect_to)
      const { token, isKnown } = await issueToAddress(deps, project.schemaName, {
        purpose: 'recovery',
        userId: undefined,
        target: email,
        redirectTo,
        facts: {},
        lifetimeMillis: LINK_MILLIS,
      })
      const message: OutgoingMessage = {
        schemaName: project.schemaName,
        channel: 'email',
        recipient: email,
        purpose: 'password_reset',
        link: withFragment(redirectTo, { token }),
      }
      // An unknown address gets the same response after the same work, so that the response does not reveal which addresses
      // have accounts.
      if (isKnown) deps.outbox.send(message)
      else deps.outbox.discard(message)
      return context.json({ expires_in: LINK_MILLIS / SECOND_MILLIS })
    },
  },
  'POST /auth/v1/password/reset': {
    operation: 'password.reset',
    title: 'Resets the password',
    codes: ['invalid_code', 'weak_password', ...BODY_CODES],
    body: ResetShape,
    handler: (deps) => async (context) => {
      const { project, settings } = await requestOf(deps, context)
      const body = await decodeBody(context.req.raw, ResetShape)
      const password = passwordOf(body)
      requireStrength(password, settings)
      const token = await readToken(deps, project.schemaName, 'recovery', body.token)
      if (token?.state !== 'good') throw refused(token?.state)
      const reset = await resetPassword(deps.tables, project.schemaName, {
        token: body.token,
        passwordHash: await hashPassword(password, deps.ids),
      })
      if (reset === undefined) throw refused('spent')
      context.env.facts.subject = reset.userId
      return context.json({ criada: reset.isFirst, sessions_revoked: reset.sessionsRevoked })
    },
  },
}

async function requireCurrent(hash: string, given: string | undefined): Promise<void> {
  if (given === undefined)
    throw new AuthError('current_password_required', 'The account already has a password.', {
      hint: 'Send the account’s password as current_password, together with new_password.',
    })
  if (!(await checkPassword(given, hash))) throw wrongPassword('The current password is wrong.')
}

function wrongPassword(message: string): AuthError {
  return new AuthError('invalid_credentials', message)
}

function passwordOf({ new_password, password }: z.output<typeof ResetShape>): string {
  const given = new_password ?? password ?? undefined
  if (given === undefined) throw invalidRequest({ new_password: 'is required' })
  if ((password ?? given) !== given)
    throw invalidRequest({ password: 'differs from new_password; send one of them' })
  return given
}

function refused(state: 'late' | 'spent' | undefined): AuthError {
  const reasons = {
    late: 'The reset link is older than an hour.',
    spent:
      'The reset link was used before, a newer link was requested, or no user has its address.',
    unknown: 'This project did not issue the reset token.',
  } as const
  return new AuthError('unauthorized', reasons[state ?? 'unknown'], {
    hint: 'Request a new link with POST /auth/v1/password/forgot.',
  })
}
