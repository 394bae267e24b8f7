// POST /auth/v1/signin/magic-link: a link that signs in (docs/wire/auth.md#magic-link). Following it is confirmation.ts.
import { z } from 'zod'
import { HOUR_MILLIS, SECOND_MILLIS } from '../../core/time.ts'
import type { OutgoingMessage } from '../../messages/message.ts'
import { issueToAddress } from '../one-time-codes.ts'
import { requireRedirect } from '../redirects.ts'
import { decodeBody } from '../request-body.ts'
import { emailShape } from '../shapes.ts'
import { verifyLink } from '../verify-link.ts'
import { type AuthRoutes, BODY_CODES, requestOf } from './route-table.ts'

const LinkShape = z.object({
  email: emailShape,
  redirect_to: z.string().nullish(),
  create_user: z.boolean().nullish(),
})

const LINK_MILLIS = HOUR_MILLIS

export const MAGIC_LINK_ROUTES: AuthRoutes = {
  'POST /auth/v1/signin/magic-link': {
    operation: 'signin.magic_link',
    title: 'Sends a link to sign in',
    codes: ['invalid_redirect', ...BODY_CODES],
    handler: (deps) => async (context) => {
      const { project, settings, addresses } = await requestOf(deps, context)
      const { email, redirect_to, create_user } = await decodeBody(context.req.raw, LinkShape)
      const mayCreateUser = create_user ?? true
      const { token, isKnown } = await issueToAddress(deps, project.schemaName, {
        purpose: 'magic_link',
        userId: undefined,
        target: email,
        redirectTo: requireRedirect(settings, redirect_to),
        facts: { mayCreateUser },
        lifetimeMillis: LINK_MILLIS,
      })
      const message: OutgoingMessage = {
        schemaName: project.schemaName,
        channel: 'email',
        recipient: email,
        purpose: 'magic_link',
        link: verifyLink(addresses, project, 'magic_link', token),
      }
      // Whoever may not become a user gets no message, and neither answer nor time tells.
      if (isKnown || (mayCreateUser && !settings.signupClosed)) deps.outbox.send(message)
      else deps.outbox.discard(message)
      return context.json({ expires_in: LINK_MILLIS / SECOND_MILLIS })
    },
  },
}
