// Serves POST /platform/v1/session and /platform/v1/signup (docs/wire/platform.md#accounts).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import type { ControlDeps } from '../deps.ts'
import { decodeBody, textShape } from '../request/request-body.ts'
import { BODY_CODES, type ControlRoutes } from '../request/route.ts'
import { sessionToWire } from '../wire.ts'
import { logIn, signUp } from './accounts.ts'
import type { Owner } from './owners.ts'

const LoginShape = z.object({ email: textShape(254), password: textShape(1_024) })

const SignUpShape = z.object({
  email: textShape(254).refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), {
    error: 'must be an e-mail address',
  }),
  password: textShape(1_024).refine((text) => text.length >= 6, {
    error: 'must have at least 6 characters',
  }),
})

export const ACCOUNT_ROUTES: ControlRoutes = {
  'POST /platform/v1/session': {
    operation: 'account.login',
    title: 'Signs in to the dashboard',
    codes: ['admin_token_required', ...BODY_CODES],
    body: LoginShape,
    handler: (deps) => async (context) => {
      const login = await decodeBody(context.req.raw, LoginShape)
      const owner = await logIn(deps, login, {
        authorization: context.req.header('authorization'),
        isRemote: context.env.isRemote === true,
      })
      return context.json(await sessionOf(deps, context, owner))
    },
  },
  'POST /platform/v1/signup': {
    operation: 'account.signup',
    title: 'Creates a dashboard account',
    codes: ['email_taken', ...BODY_CODES],
    body: SignUpShape,
    handler: (deps) => async (context) => {
      const owner = await signUp(deps, await decodeBody(context.req.raw, SignUpShape))
      return context.json(await sessionOf(deps, context, owner), 201)
    },
  },
}

async function sessionOf(
  { credentials, clock }: ControlDeps,
  context: HttpContext,
  owner: Owner,
): Promise<ReturnType<typeof sessionToWire>> {
  context.env.facts.subject = owner.id
  return sessionToWire(owner, await credentials.sessionTokens.mintSessionToken(owner, clock.now()))
}
