// What the routes of auth share: codes, the request's project, the signed-in user, and answers that no cache may keep.
import type { HttpContext, HttpHandler } from '../../core/mount-routes.ts'
import type { RouteTable } from '../../core/routes.ts'
import type { AuthRequest } from '../auth-request.ts'
import type { AuthDeps } from '../deps.ts'
import type { AuthErrorCode } from '../errors.ts'
import { projectOfRequest } from '../project-of-request.ts'
import type { AccessTokenClaims } from '../sessions.ts'

export type AuthRoutes = RouteTable<AuthDeps, HttpHandler, AuthErrorCode>

/** Codes of routes that read a body. */
export const BODY_CODES: readonly AuthErrorCode[] = ['invalid_json', 'payload_too_large']
/** Codes of routes that can create the user who signs in. */
export const NEW_USER_CODES: readonly AuthErrorCode[] = ['signup_disabled', 'user_banned']

/**
 * The project the request is about and what an operation needs to know of the request.
 * @param apiKey where the key may also stand: `?apikey=` of an address that a browser opens
 * @throws {AuthError | CredentialError} as project-of-request.ts
 */
export async function requestOf(
  deps: AuthDeps,
  context: HttpContext,
  apiKey?: string,
): Promise<AuthRequest> {
  const { req, env } = context
  const project = await projectOfRequest(deps, {
    slug: req.header('x-superdb-project'),
    apiKey: req.header('apikey') ?? apiKey,
    authorization: req.header('authorization'),
    facts: env.facts,
  })
  return {
    project,
    // Looked up only by routes that ask: a refresh does not.
    get settings() {
      return deps.settings.settingsOf(project.id)
    },
    addresses: env.addresses,
    userAgent: req.header('user-agent'),
  }
}

/** The user behind the bearer access_token; noted for the journal. @throws {AuthError | CredentialError} */
export async function userOf(
  deps: AuthDeps,
  context: HttpContext,
  request: AuthRequest,
): Promise<AccessTokenClaims> {
  const claims = await deps.sessions.authenticate(request, context.req.header('authorization'))
  const { facts } = context.env
  facts.subject = claims.userId
  facts.role = 'authenticated'
  facts.credentialKind = 'accessToken'
  return claims
}

/** Answers secrets: no cache may keep them. */
export function secretJson(context: HttpContext, body: object): Response {
  return context.json(body, 200, { 'cache-control': 'no-store' })
}

/** Sends a browser on to an address that may hold secrets. */
export function leaveTo(context: HttpContext, address: string, status: 302 | 303 = 302): Response {
  return context.body(null, status, {
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
}
