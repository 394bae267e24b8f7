// POST /auth/v1/signin: e-mail and password (docs/wire/auth.md#session).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { accountByPassword } from '../passwords.ts'
import { decodeBody } from '../request-body.ts'
import { emailShape, passwordShape } from '../shapes.ts'
import { signIn } from '../sign-in.ts'
import { occasionOf, type RouteTable, secretJson } from './route-table.ts'

const SignInShape = z.object({ email: emailShape, password: passwordShape })

export function signInRoutes(deps: AuthDeps): RouteTable {
  return {
    '/auth/v1/signin': {
      POST: async (context) => {
        const occasion = await occasionOf(deps, context)
        const { schemaName } = occasion.project
        const login = await decodeBody(context.req.raw, SignInShape)
        const account = await accountByPassword(deps.tables, schemaName, login)
        context.env.facts.subject = account.userId
        if (occasion.settings.confirmEmail && !account.emailConfirmed)
          throw new AuthError('email_not_confirmed', 'The e-mail address was not confirmed yet.', {
            hint: 'Open the link of the confirmation message; the emulator’s mailbox has it.',
          })
        return secretJson(context, await signIn(deps, occasion, account, 'password'))
      },
    },
  }
}
