// POST /auth/v1/signout: this session, all of the user's, or all the others (docs/wire/auth.md#signout).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { decodeOptionalBody } from '../request-body.ts'
import { occasionOf, type RouteTable, userOf } from './route-table.ts'

const SignOutShape = z.object({ scope: z.enum(['local', 'global', 'others']).nullish() })

export function signOutRoutes(deps: AuthDeps): RouteTable {
  return {
    '/auth/v1/signout': {
      POST: async (context) => {
        const occasion = await occasionOf(deps, context)
        const { scope } = await decodeOptionalBody(context.req.raw, SignOutShape)
        const claims = await userOf(deps, context, occasion)
        const ended = await deps.sessions.end(occasion, claims, scope ?? 'local')
        return context.json({ sessions_revoked: ended })
      },
    },
  }
}
