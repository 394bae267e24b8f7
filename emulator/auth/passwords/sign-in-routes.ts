// Serves POST /auth/v1/signup and /auth/v1/signin, which use e-mail and password (docs/wire/auth.md#signup,
// docs/wire/auth.md#session).
import { z } from 'zod'
import type { JsonObject } from '../../core/json.ts'
import { DAY_MILLIS } from '../../core/time.ts'
import { hashPassword } from '../../credentials/password-hash.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, signupDisabled } from '../errors.ts'
import { issueToken, verifyLink } from '../one-time-codes/link-tokens.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { requireRedirect } from '../request/redirects.ts'
import {
  decodeBody,
  emailShape,
  jsonObjectShape,
  optionalName,
  passwordShape,
} from '../request/request-body.ts'
import { type AuthRoutes, BODY_CODES, requestOf, secretJson } from '../request/route.ts'
import { signIn } from '../sessions/sign-in.ts'
import type { UserRecord } from '../users/user.ts'
import { createUser, ownIdentity, requireMetadataSize } from '../users/users.ts'
import { accountByPassword, requireStrength } from './passwords.ts'

const SignUpShape = z.object({
  email: emailShape,
  password: passwordShape,
  full_name: optionalName,
  data: jsonObjectShape.nullish(),
  // The address that the link in the confirmation message redirects to. Only the emulator has this member.
  redirect_to: z.string().nullish(),
})

const CONFIRMATION_MILLIS = DAY_MILLIS

const SignInShape = z.object({ email: emailShape, password: passwordShape })

export const SIGN_IN_ROUTES: AuthRoutes = {
  'POST /auth/v1/signup': {
    operation: 'signup',
    title: 'Signs up with a password',
    codes: ['email_taken', 'weak_password', 'signup_disabled', 'invalid_redirect', ...BODY_CODES],
    body: SignUpShape,
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
        return secretJson(
          context,
          await deps.sessions.open(request, { userId: user.id }, 'password'),
        )
      await sendConfirmation(deps, request, user, redirectTo)
      return context.json({ user, session: null })
    },
  },
  'POST /auth/v1/signin': {
    operation: 'signin.password',
    title: 'Signs in with a password',
    codes: ['invalid_credentials', 'email_not_confirmed', 'user_banned', ...BODY_CODES],
    body: SignInShape,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { schemaName } = request.project
      const login = await decodeBody(context.req.raw, SignInShape)
      const account = await accountByPassword(deps.tables, schemaName, login)
      context.env.facts.subject = account.userId
      if (request.settings.confirmEmail && !account.emailConfirmed)
        throw new AuthError('email_not_confirmed', 'The e-mail address is not confirmed.', {
          hint: 'Open the link in the confirmation message, which is in the emulator’s mailbox.',
        })
      return secretJson(context, await signIn(deps, request, account, 'password'))
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
  if (settings.signupClosed) throw signupDisabled()
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
    throw new AuthError('email_taken', `A user with the e-mail address ${email} already exists.`, {
      hint: 'Sign in, or request a password reset.',
    })
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
