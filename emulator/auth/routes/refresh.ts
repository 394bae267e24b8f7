// POST /auth/v1/token/refresh (docs/wire/auth.md#refresh).
import { z } from 'zod'
import { decodeBody } from '../request-body.ts'
import { secretShape } from '../shapes.ts'
import { type AuthRoutes, BODY_CODES, requestOf, secretJson } from './route-table.ts'

const RefreshShape = z.object({ refresh_token: secretShape })

export const REFRESH_ROUTES: AuthRoutes = {
  'POST /auth/v1/token/refresh': {
    operation: 'session.refresh',
    title: 'Renews a session',
    codes: ['user_banned', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { refresh_token } = await decodeBody(context.req.raw, RefreshShape)
      const session = await deps.sessions.refresh(request, refresh_token)
      context.env.facts.subject = session.user.id
      return secretJson(context, session)
    },
  },
}
