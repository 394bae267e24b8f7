// Serves POST /auth/v1/signup and /auth/v1/signin, which use e-mail and password (docs/wire/auth.md#signup,
// docs/wire/auth.md#session).
import { z } from 'zod'
import type { JsonObject } from '../../../core/json.ts'
import type { Sql } from '../../../database/sql.ts'
import { hashPassword } from '../../../platform/credentials/password-hash.ts'
import { MESSAGE_MILLIS } from '../../../platform/messages/message.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, signupDisabled } from '../errors.ts'
import { type TokenDraft, tokenOfNewUser, verifyLink } from '../one-time-codes/link-tokens.ts'
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
import type { SessionAnswer } from '../sessions/sessions.ts'
import { signIn } from '../sessions/sign-in.ts'
import {
  createUser,
  type NewUser,
  ownIdentity,
  requireMetadataSize,
  type UserCreation,
} from '../users/users.ts'
import { accountByPassword, requireStrength } from './passwords.ts'

const SignUpShape = z.object({
  email: emailShape,
  password: passwordShape,
  full_name: optionalName,
  data: jsonObjectShape.nullish(),
  // The address that the link in the confirmation message redirects to. Only the emulator has this member.
  redirect_to: z.string().nullish(),
})

const CONFIRMATION_MILLIS = MESSAGE_MILLIS.confirmation

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
      const user = await newUser(deps, request, body)
      const { confirmEmail } = request.settings
      const answer = confirmEmail
        ? await signUpToConfirm(deps, request, user, redirectTo)
        : await signUpAndIn(deps, request, user)
      context.env.facts.subject = user.id
      return confirmEmail ? context.json(answer) : secretJson(context, answer)
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

type SignUpUser = NewUser & { readonly email: string }

async function newUser(
  { ids }: AuthDeps,
  { settings }: AuthRequest,
  { email, password, full_name: fullName, data }: z.output<typeof SignUpShape>,
): Promise<SignUpUser> {
  const userMetadata = {
    ...data,
    ...(typeof fullName === 'string' ? { full_name: fullName } : {}),
  }
  if (settings.signupClosed) throw signupDisabled()
  requireStrength(password, settings)
  requireMetadataSize(userMetadata)
  return {
    passwordHash: await hashPassword(password, ids),
    id: ids.uuid(),
    email,
    emailConfirmed: !settings.confirmEmail,
    phoneConfirmed: false,
    userMetadata,
    identities: [ownIdentity('email', email)],
  }
}

async function signUpAndIn(
  deps: AuthDeps,
  request: AuthRequest,
  user: SignUpUser,
): Promise<SessionAnswer> {
  const opening = deps.sessions.opening(request, user.id, 'password')
  const { results } = await signUp(deps, request, user, opening.statement)
  return opening.answer(results[0])
}

async function signUpToConfirm(
  deps: AuthDeps,
  request: AuthRequest,
  user: SignUpUser,
  redirectTo: string,
): Promise<JsonObject> {
  const { project, addresses } = request
  const token = deps.ids.secret('')
  const draft: TokenDraft & { readonly userId: string } = {
    purpose: 'confirmation',
    userId: user.id,
    target: user.email,
    redirectTo,
    facts: {},
    lifetimeMillis: CONFIRMATION_MILLIS,
  }
  const created = await signUp(deps, request, user, ...tokenOfNewUser(draft, token))
  deps.outbox.send({
    schemaName: project.schemaName,
    channel: 'email',
    recipient: user.email,
    purpose: 'confirmation',
    link: verifyLink(addresses, project, 'confirmation', token),
  })
  return { user: created.user, session: null }
}

// The statements run in the transaction that stores the user, so that a sign-up that fails stores nothing and can be repeated.
async function signUp(
  { tables }: AuthDeps,
  { project }: AuthRequest,
  user: SignUpUser,
  ...along: readonly Sql[]
): Promise<Extract<UserCreation, { kind: 'created' }>> {
  const creation = await createUser(tables, project.schemaName, user, ...along)
  if (creation.kind === 'created') return creation
  throw new AuthError(
    'email_taken',
    `A user with the e-mail address ${user.email} already exists.`,
    { hint: 'Sign in, or request a password reset.' },
  )
}
