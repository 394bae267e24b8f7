// Serves POST /auth/v1/signin/magic-link, which sends magic links, and GET /auth/v1/verify, which magic links and confirmation
// links open (docs/wire/auth.md#magic-link).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import { SECOND_MILLIS } from '../../../core/time.ts'
import type { OutgoingMessage } from '../../../platform/messages/message.ts'
import { MESSAGE_MILLIS } from '../../../platform/messages/message.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type { AuthErrorCode } from '../refusals.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { requireRedirect, withFragment, withQuery } from '../request/redirects.ts'
import { decodeBody, decodeQuery, emailShape, secretShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  leaveTo,
  projectOfRequest,
  requestOf,
} from '../request/route.ts'
import { signIn, welcome } from '../sessions/sign-in.ts'
import { forBrowsers } from '../social/refusal-page.ts'
import type { ProvenUser } from '../users/proven-user.ts'
import {
  type FollowedLink,
  followLink,
  issueToAddress,
  type LinkType,
  verifyLink,
} from './link-tokens.ts'

const MagicLinkShape = z.object({
  email: emailShape,
  redirect_to: z.string().nullish(),
  create_user: z.boolean().nullish(),
})

const LINK_MILLIS = MESSAGE_MILLIS.magic_link

export const MAGIC_LINK_ROUTES: AuthRoutes = {
  'POST /auth/v1/signin/magic-link': {
    operation: 'signin.magic_link',
    title: 'Sends a link to sign in',
    codes: ['invalid_redirect', ...BODY_CODES],
    body: MagicLinkShape,
    handler: (deps) => async (context) => {
      const { project, settings, addresses } = await requestOf(deps, context)
      const { email, redirect_to, create_user } = await decodeBody(context.req.raw, MagicLinkShape)
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
      // Sends no message to an unknown address when the request may not create a user. The response and its duration are the
      // same for known addresses.
      if (isKnown || (mayCreateUser && !settings.signupClosed)) deps.outbox.send(message)
      else deps.outbox.discard(message)
      return context.json({ expires_in: LINK_MILLIS / SECOND_MILLIS })
    },
  },
}

const LinkShape = z.object({
  type: z.enum(['confirmation', 'magic_link']),
  token: secretShape,
  project: z.string().min(1).max(100),
})

export const CONFIRMATION_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/verify': {
    operation: 'email.confirm',
    title: 'Opens a link of a message',
    codes: ['invalid_otp'],
    query: LinkShape,
    handler: (deps) =>
      forBrowsers(async (context) => {
        const { type, token, project } = decodeQuery(context.req.url, LinkShape)
        const request = await requestOfLink(deps, context, project)
        const link = await followLink(deps, request.project.schemaName, type, token)
        if (link === undefined)
          throw new AuthError('invalid_otp', 'This project did not issue the link.', {
            hint: 'Request a new link, and open the complete address.',
          })
        return leaveTo(context, await arrive(deps, request, context, { ...link, type }))
      }),
  },
}

/** Finds the project by a parameter of the link, because a browser that opens a link sends no project header. */
async function requestOfLink(
  deps: AuthDeps,
  { env, req }: HttpContext,
  slug: string,
): Promise<AuthRequest> {
  const project = await projectOfRequest(deps, {
    slug,
    apiKey: undefined,
    authorization: undefined,
    facts: env.facts,
  })
  return {
    project,
    settings: deps.settings.settingsOf(project.id),
    addresses: env.addresses,
    userAgent: req.header('user-agent'),
  }
}

type Visit = FollowedLink & { readonly type: LinkType }

/** Returns the redirect address. Errors of a link that the project issued are parameters of that address. */
async function arrive(
  deps: AuthDeps,
  request: AuthRequest,
  context: HttpContext,
  visit: Visit,
): Promise<string> {
  const { redirectTo } = visit
  if (visit.state === 'spent')
    return refusal(redirectTo, 'invalid_otp', 'The link was used before.')
  if (visit.state === 'late') return refusal(redirectTo, 'invalid_otp', 'The link has expired.')
  try {
    const user = visit.holder ?? (await newcomer(deps, request, visit))
    context.env.facts.subject = user.userId
    return await signedIn(deps, request, user, visit)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return refusal(redirectTo, error.code, error.message)
  }
}

async function newcomer(
  deps: AuthDeps,
  request: AuthRequest,
  { facts, target }: Visit,
): Promise<ProvenUser> {
  if (facts['mayCreateUser'] === true)
    return welcome(deps, request, { kind: 'email', address: target })
  throw new AuthError('invalid_otp', 'No user has the address that this link was sent to.')
}

async function signedIn(
  deps: AuthDeps,
  request: AuthRequest,
  user: ProvenUser,
  { type, redirectTo }: Visit,
): Promise<string> {
  const answer = await signIn(deps, request, user, type === 'magic_link' ? 'magiclink' : 'otp')
  if (answer.mfa_required === true)
    return withFragment(redirectTo, [
      ['mfa_required', 'true'],
      ['mfa_token', String(answer.mfa_token)],
      ...user.verifiedFactors.map(({ id }): [string, string] => ['factor_id', id]),
    ])
  return withFragment(redirectTo, {
    access_token: String(answer.access_token),
    refresh_token: String(answer.refresh_token),
    expires_in: String(answer.expires_in),
    token_type: 'bearer',
  })
}

function refusal(redirectTo: string, code: AuthErrorCode, message: string): string {
  return withQuery(redirectTo, { error: code, error_description: message })
}
