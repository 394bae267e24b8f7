// POST /auth/v1/signout: this session, all of the user's, or all the others (docs/wire/auth.md#signout).
import { z } from 'zod'
import { decodeOptionalBody } from '../request-body.ts'
import { type AuthRoutes, BODY_CODES, requestOf, userOf } from './route-table.ts'

const SignOutShape = z.object({ scope: z.enum(['local', 'global', 'others']).nullish() })

export const SIGN_OUT_ROUTES: AuthRoutes = {
  'POST /auth/v1/signout': {
    operation: 'session.signout',
    title: 'Signs out',
    codes: BODY_CODES,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { scope } = await decodeOptionalBody(context.req.raw, SignOutShape)
      const claims = await userOf(deps, context, request)
      const ended = await deps.sessions.end(request, claims, scope ?? 'local')
      return context.json({ sessions_revoked: ended })
    },
  },
}
