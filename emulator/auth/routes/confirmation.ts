// GET /auth/v1/verify: where the links of confirmation messages and magic links lead. It signs in and returns to the
// application with the tokens in the fragment (docs/wire/auth.md#magic-link).
import { z } from 'zod'
import type { HttpContext } from '../../core/mount-routes.ts'
import type { AuthRequest } from '../auth-request.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import { type FollowedLink, followLink } from '../one-time-codes.ts'
import { projectOfRequest } from '../project-of-request.ts'
import type { ProvenUser } from '../proven-user.ts'
import { withFragment, withQuery } from '../redirects.ts'
import { decodeQuery } from '../request-body.ts'
import { secretShape } from '../shapes.ts'
import { signIn, welcome } from '../sign-in.ts'
import type { LinkType } from '../verify-link.ts'
import { forBrowsers } from './refusal-page.ts'
import { type AuthRoutes, leaveTo } from './route-table.ts'

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
    handler: (deps) =>
      forBrowsers(async (context) => {
        const { type, token, project } = decodeQuery(context.req.url, LinkShape)
        const request = await requestOfLink(deps, context, project)
        const link = await followLink(deps, request.project.schemaName, type, token)
        if (link === undefined)
          throw new AuthError('invalid_otp', 'The link was never issued by this project.', {
            hint: 'Ask for a new one, and follow it whole.',
          })
        return leaveTo(context, await arrive(deps, request, context, { ...link, type }))
      }),
  },
}

/** A link knows its project; no header can come with a click. */
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

/** Gives the address to go to; what is refused after the link was known is told there. */
async function arrive(
  deps: AuthDeps,
  request: AuthRequest,
  context: HttpContext,
  visit: Visit,
): Promise<string> {
  const { redirectTo } = visit
  if (visit.state === 'spent')
    return refusal(redirectTo, 'invalid_otp', 'The link was used before.')
  if (visit.state === 'late') return refusal(redirectTo, 'invalid_otp', 'The link is too old.')
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
  throw new AuthError('invalid_otp', 'The user of this link is gone.')
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
