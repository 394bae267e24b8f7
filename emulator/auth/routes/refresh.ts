// POST /auth/v1/token/refresh (docs/wire/auth.md#refresh).
import { z } from 'zod'
import type { AuthDeps } from '../deps.ts'
import { decodeBody } from '../request-body.ts'
import { secretShape } from '../shapes.ts'
import { occasionOf, type RouteTable, secretJson } from './route-table.ts'

const RefreshShape = z.object({ refresh_token: secretShape })

export function refreshRoutes(deps: AuthDeps): RouteTable {
  return {
    '/auth/v1/token/refresh': {
      POST: async (context) => {
        const occasion = await occasionOf(deps, context)
        const { refresh_token } = await decodeBody(context.req.raw, RefreshShape)
        const session = await deps.sessions.refresh(occasion, refresh_token)
        context.env.facts.subject = session.user.id
        return secretJson(context, session)
      },
    },
  }
}
