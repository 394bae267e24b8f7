// Routes of social sign-in with PKCE (RFC 6749, RFC 7636; docs/wire/auth.md#social). /authorize sends the browser to the
// provider's page. The provider sends the browser to /callback. /token/exchange exchanges the code for a session.
import { z } from 'zod'
import { type HttpContext, pathParam } from '../../../core/mount-routes.ts'
import { digestOf } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type { AuthErrorCode } from '../refusals.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { requireRedirect, withQuery } from '../request/redirects.ts'
import { decodeBody, decodeQuery, secretShape } from '../request/request-body.ts'
import {
  type AuthRoutes,
  BODY_CODES,
  leaveTo,
  NEW_USER_CODES,
  requestOf,
  secretJson,
} from '../request/route.ts'
import { signIn } from '../sessions/sign-in.ts'
import type { ProvenUser } from '../users/proven-user.ts'
import { isBoundBrowser, releaseBrowser } from './browser-binding.ts'
import { openFlow, spendCode } from './flow-states.ts'
import { findProvider, PROVIDER_LABELS } from './providers.ts'
import { forBrowsers } from './refusal-page.ts'
import { enabledProvider, invalidState, projectOfState, unboundState } from './social-project.ts'
import { type Landing, landFlow } from './social-sign-in.ts'

const AuthorizeShape = z.object({
  apikey: z.string().optional(),
  redirect_to: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  return: z.literal('json').optional(),
})

const CallbackShape = z.object({
  state: z.string().default(''),
  code: z.string().optional(),
  error: z.string().optional(),
})

const ExchangeShape = z.object({ code: secretShape, code_verifier: secretShape })

export const AUTHORIZE_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/authorize/:provider': {
    operation: 'oauth.authorize',
    title: 'Begins a social login',
    codes: ['oauth_not_enabled', 'invalid_pkce', 'invalid_redirect'],
    query: AuthorizeShape,
    handler: (deps) =>
      forBrowsers(async (context) => {
        const query = decodeQuery(context.req.url, AuthorizeShape)
        const url = await authorize(deps, context, query)
        return query.return === 'json' ? secretJson(context, { url }) : leaveTo(context, url)
      }),
  },
}

export const CALLBACK_ROUTES: AuthRoutes = {
  'GET,HEAD /auth/v1/callback/:provider': {
    operation: 'oauth.callback',
    title: 'Ends a social login',
    codes: ['oauth_not_enabled', 'oauth_state_invalid', 'oauth_state_unbound', 'invalid_code'],
    query: CallbackShape,
    handler: (deps) =>
      forBrowsers(async (context) => {
        const query = decodeQuery(context.req.url, CallbackShape)
        return leaveTo(context, await land(deps, context, query))
      }),
  },
  'POST /auth/v1/token/exchange': {
    operation: 'oauth.exchange',
    title: 'Exchanges a code for a session',
    codes: ['invalid_code', 'pkce_mismatch', 'email_taken', ...NEW_USER_CODES, ...BODY_CODES],
    body: ExchangeShape,
    handler: (deps) => async (context) => {
      const request = await requestOf(deps, context)
      const body = await decodeBody(context.req.raw, ExchangeShape)
      const user = await redeem(deps, request, body)
      context.env.facts.subject = user.userId
      return secretJson(context, await signIn(deps, request, user, 'oauth'))
    },
  },
}

async function authorize(
  deps: AuthDeps,
  context: HttpContext,
  query: z.output<typeof AuthorizeShape>,
): Promise<string> {
  const { project, settings, addresses } = await requestOf(deps, context, query.apikey)
  const provider = enabledProvider(settings, pathParam(context, 'provider'))
  const challenge = parseChallenge(query.code_challenge, query.code_challenge_method)
  const redirectTo = requireRedirect(settings, query.redirect_to)
  // The state begins with the project's slug, because a browser opens the callback without a project header.
  const state = deps.ids.secret(`${project.slug}.`)
  await openFlow(deps, project.schemaName, { provider, state, challenge, redirectTo })
  const url = new URL(`/auth/v1/consent/${provider}`, addresses.authUrl)
  url.search = new URLSearchParams({ state }).toString()
  return url.href
}

async function land(
  deps: AuthDeps,
  context: HttpContext,
  { state, code, error }: z.output<typeof CallbackShape>,
): Promise<string> {
  const project = projectOfState(deps, context, state)
  const settings = deps.settings.settingsOf(project.id)
  const provider = findProvider(pathParam(context, 'provider'))
  if (provider === undefined) throw invalidState('The state of this sign-in is unknown.')
  const landing = await landFlow(deps, project.schemaName, {
    provider,
    state,
    isBound: isBoundBrowser(context, state),
    answer: error === undefined ? code : undefined,
    mayCreateUser: !settings.signupClosed,
  })
  const address = addressAfter(landing, PROVIDER_LABELS[provider], error)
  releaseBrowser(context, state)
  if (landing.kind === 'signedIn') context.env.facts.subject = landing.userId
  return address
}

function addressAfter(landing: Landing, label: string, error: string | undefined): string {
  switch (landing.kind) {
    case 'unknown':
      throw invalidState('The state of this sign-in is unknown.')
    case 'spent':
      throw invalidState('The state of this sign-in was used before.')
    case 'late':
      throw invalidState('The sign-in took longer than ten minutes.')
    case 'unbound':
      throw unboundState()
    case 'signedIn':
      return withQuery(landing.redirectTo, { code: landing.code })
    case 'failed':
      return error === 'access_denied'
        ? back(landing, 'access_denied', `The user denied the sign-in with ${label}.`)
        : back(landing, 'server_error', `${label} could not sign the user in.`)
    case 'banned':
      return back(landing, 'user_banned', 'The user is banned from this project.')
    case 'emailTaken':
      return back(
        landing,
        'email_taken',
        `Another user has this e-mail address, and ${label} has not verified that this account owns the address.`,
      )
    case 'signupClosed':
      return back(landing, 'signup_disabled', 'This project accepts no new users.')
  }
}

/** The redirect address that reports an error to the application (RFC 6749 §4.1.2.1). */
function back(
  { redirectTo }: { readonly redirectTo: string },
  error: AuthErrorCode | 'access_denied' | 'server_error',
  description: string,
): string {
  return withQuery(redirectTo, { error, error_description: description })
}

async function redeem(
  deps: AuthDeps,
  { project }: AuthRequest,
  { code, code_verifier: verifier }: z.output<typeof ExchangeShape>,
): Promise<ProvenUser> {
  const presented = await spendCode(deps, project.schemaName, code, challengeOf(verifier))
  if (presented.kind === 'good') return presented.user
  if (presented.kind === 'mismatch')
    throw new AuthError('pkce_mismatch', 'The code_verifier does not belong to this sign-in.', {
      hint: 'The code can no longer be used. Start a new sign-in, and keep the code_verifier whose SHA-256 you send as code_challenge.',
    })
  throw new AuthError('invalid_code', CODE_PROBLEMS[presented.kind], {
    hint: 'Start a new sign-in. A code is valid once, for five minutes, in the project that issued it.',
  })
}

const CODE_PROBLEMS = {
  spent: 'The code was used before.',
  late: 'The code has expired.',
  unknown: 'This project did not issue the code.',
} as const

// Checks Proof Key for Code Exchange, with the method S256 only (RFC 7636; docs/wire/auth.md#social). Pure.

/** Matches a code challenge (RFC 7636 §4.2) in base64url, which has no `.` and no `~`. */
const CHALLENGE = /^[A-Za-z0-9_-]{43,128}$/

/** Checks the PKCE parameters of /authorize and returns the challenge. @throws {AuthError} `invalid_pkce` */
export function parseChallenge(challenge: string | undefined, method: string | undefined): string {
  if (challenge === undefined) throw refused('code_challenge is missing.')
  if (!CHALLENGE.test(challenge))
    throw refused('code_challenge is not 43 to 128 characters of base64url.')
  if (method !== 'S256') throw refused('code_challenge_method is not S256.')
  return challenge
}

/** Returns the challenge of a verifier, which is its SHA-256 in base64url without padding (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return digestOf(verifier)
}

function refused(problem: string): AuthError {
  return new AuthError('invalid_pkce', problem, {
    hint: 'Keep a random code_verifier, and send base64url(SHA-256(code_verifier)) as code_challenge with code_challenge_method=S256.',
  })
}
