// Serves POST /auth/v1/token/refresh and /auth/v1/signout (docs/wire/auth.md#refresh, docs/wire/auth.md#signout).
import { z } from 'zod'
import { decodeBody, decodeOptionalBody, secretShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  requestOf,
  SIGNED_IN_CODES,
  secretJson,
  userOf,
} from '../request/route.ts'

const RefreshShape = z.object({ refresh_token: secretShape })

const SignOutShape = z.object({ scope: z.enum(['local', 'global', 'others']).nullish() })

export const SESSION_ROUTES: AuthRoutes = {
  'POST /auth/v1/token/refresh': {
    operation: 'session.refresh',
    title: 'Renews a session',
    codes: ['user_banned', ...BODY_CODES],
    body: RefreshShape,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { refresh_token } = await decodeBody(context.req.raw, RefreshShape)
      const session = await deps.sessions.refresh(request, refresh_token)
      context.env.facts.subject = session.user.id
      return secretJson(context, session)
    },
  },
  'POST /auth/v1/signout': {
    operation: 'session.signout',
    title: 'Signs out',
    codes: [...SIGNED_IN_CODES, ...BODY_CODES],
    body: SignOutShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const { scope } = await decodeOptionalBody(context.req.raw, SignOutShape)
      const claims = await userOf(deps, context, request)
      const ended = await deps.sessions.end(request, claims, scope ?? 'local')
      return context.json({ sessions_revoked: ended })
    },
  },
}
