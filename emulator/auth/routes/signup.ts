// POST /auth/v1/signup: e-mail and password, extra data becoming user metadata (docs/wire/auth.md#signup).
import { z } from 'zod'
import type { JsonObject } from '../../core/json.ts'
import { DAY_MILLIS } from '../../core/time.ts'
import { hashPassword } from '../../credentials/password-hash.ts'
import type { AuthRequest } from '../auth-request.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { issueToken } from '../one-time-codes.ts'
import { requireStrength } from '../passwords.ts'
import { requireRedirect } from '../redirects.ts'
import { decodeBody } from '../request-body.ts'
import { emailShape, jsonObjectShape, optionalName, passwordShape } from '../shapes.ts'
import type { UserRecord } from '../user.ts'
import { createUser, ownIdentity, requireMetadataSize } from '../users.ts'
import { verifyLink } from '../verify-link.ts'
import { type AuthRoutes, BODY_CODES, requestOf, secretJson } from './route-table.ts'

const SignUpShape = z.object({
  email: emailShape,
  password: passwordShape,
  full_name: optionalName,
  data: jsonObjectShape.nullish(),
  // Ours: where the link of the confirmation message returns to.
  redirect_to: z.string().nullish(),
})

const CONFIRMATION_MILLIS = DAY_MILLIS

export const SIGN_UP_ROUTES: AuthRoutes = {
  'POST /auth/v1/signup': {
    operation: 'signup',
    title: 'Signs up with a password',
    codes: ['email_taken', 'weak_password', 'signup_disabled', 'invalid_redirect', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const body = await decodeBody(context.req.raw, SignUpShape)
      const redirectTo = requireRedirect(request.settings, body.redirect_to)
      const user = await signUp(deps, request, {
        email: body.email,
        password: body.password,
        userMetadata: {
          ...body.data,
          ...(typeof body.full_name === 'string' ? { full_name: body.full_name } : {}),
        },
      })
      context.env.facts.subject = user.id
      if (!request.settings.confirmEmail)
        return secretJson(context, await deps.sessions.open(request, user.id, 'password'))
      await sendConfirmation(deps, request, user, redirectTo)
      return context.json({ user, session: null })
    },
  },
}

interface SignUp {
  readonly email: string
  readonly password: string
  readonly userMetadata: JsonObject
}

async function signUp(
  deps: AuthDeps,
  { project, settings }: AuthRequest,
  { email, password, userMetadata }: SignUp,
): Promise<UserRecord> {
  if (settings.signupClosed)
    throw new AuthError('signup_disabled', 'This project takes no new users at the moment.', {
      hint: 'Its setting signup_closed is on.',
    })
  requireStrength(password, settings)
  requireMetadataSize(userMetadata)
  const creation = await createUser(deps, project.schemaName, {
    email,
    emailConfirmed: !settings.confirmEmail,
    phoneConfirmed: false,
    passwordHash: await hashPassword(password, deps.ids),
    userMetadata,
    identities: [ownIdentity('email', email)],
  })
  if (creation.kind === 'taken')
    throw new AuthError(
      'email_taken',
      `There is a user with the e-mail address ${email} already.`,
      {
        hint: 'Sign in, or ask for a password reset.',
      },
    )
  return creation.user
}

async function sendConfirmation(
  deps: AuthDeps,
  { project, addresses }: AuthRequest,
  { id, email }: UserRecord,
  redirectTo: string,
): Promise<void> {
  const recipient = email ?? ''
  const token = await issueToken(deps, project.schemaName, {
    purpose: 'confirmation',
    userId: id,
    target: recipient,
    redirectTo,
    facts: {},
    lifetimeMillis: CONFIRMATION_MILLIS,
  })
  deps.outbox.send({
    schemaName: project.schemaName,
    channel: 'email',
    recipient,
    purpose: 'confirmation',
    link: verifyLink(addresses, project, 'confirmation', token),
  })
}
