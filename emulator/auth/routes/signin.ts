// POST /auth/v1/signin: e-mail and password (docs/wire/auth.md#session).
import { z } from 'zod'
import { AuthError } from '../errors.ts'
import { accountByPassword } from '../passwords.ts'
import { decodeBody } from '../request-body.ts'
import { emailShape, passwordShape } from '../shapes.ts'
import { signIn } from '../sign-in.ts'
import { type AuthRoutes, BODY_CODES, requestOf, secretJson } from './route-table.ts'

const SignInShape = z.object({ email: emailShape, password: passwordShape })

export const SIGN_IN_ROUTES: AuthRoutes = {
  'POST /auth/v1/signin': {
    operation: 'signin.password',
    title: 'Signs in with a password',
    codes: ['invalid_credentials', 'email_not_confirmed', 'user_banned', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { schemaName } = request.project
      const login = await decodeBody(context.req.raw, SignInShape)
      const account = await accountByPassword(deps.tables, schemaName, login)
      context.env.facts.subject = account.userId
      if (request.settings.confirmEmail && !account.emailConfirmed)
        throw new AuthError('email_not_confirmed', 'The e-mail address was not confirmed yet.', {
          hint: 'Open the link of the confirmation message; the emulator’s mailbox has it.',
        })
      return secretJson(context, await signIn(deps, request, account, 'password'))
    },
  },
}
