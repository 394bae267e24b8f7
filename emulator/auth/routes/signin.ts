// POST /auth/v1/signin: e-mail and password (contract.md §6).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { checkPassword, findAccount } from '../passwords.ts'
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
        const { email, password } = await decodeBody(context.req.raw, SignInShape)
        const account = await findAccount(deps.tables, schemaName, email)
        // An unknown address costs the same hash, so that time does not tell who has an account.
        const matches = await checkPassword(password, account?.passwordHash)
        if (account === undefined || !matches)
          throw new AuthError('invalid_credentials', 'The e-mail address or the password is wrong.')
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
