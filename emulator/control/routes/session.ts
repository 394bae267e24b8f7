// POST /platform/v1/session and /platform/v1/signup (docs/wire/platform.md#accounts).
import { z } from 'zod'
import { logIn, signUp } from '../accounts.ts'
import type { ControlDeps } from '../deps.ts'
import type { Owner } from '../owners.ts'
import { decodeBody } from '../request-body.ts'
import { textShape } from '../shapes.ts'
import { sessionToWire } from '../wire.ts'
import type { ControlContext, RouteTable } from './route-table.ts'

const LoginShape = z.object({ email: textShape(254), password: textShape(1_024) })

const SignUpShape = z.object({
  email: textShape(254).refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), {
    error: 'must be an e-mail address',
  }),
  password: textShape(1_024).refine((text) => text.length >= 6, {
    error: 'must have at least 6 characters',
  }),
})

export function sessionRoutes(deps: ControlDeps): RouteTable {
  async function sessionOf(context: ControlContext, owner: Owner) {
    context.env.facts.subject = owner.id
    return sessionToWire(
      owner,
      await deps.credentials.sessionTokens.mintSessionToken(owner, deps.clock.now()),
    )
  }
  return {
    '/platform/v1/session': {
      POST: async (context) => {
        const login = await decodeBody(context.req.raw, LoginShape)
        const owner = await logIn(deps, login, {
          authorization: context.req.header('authorization'),
          isRemote: context.env.isRemote === true,
        })
        return context.json(await sessionOf(context, owner))
      },
    },
    '/platform/v1/signup': {
      POST: async (context) => {
        const owner = await signUp(deps, await decodeBody(context.req.raw, SignUpShape))
        return context.json(await sessionOf(context, owner), 201)
      },
    },
  }
}
