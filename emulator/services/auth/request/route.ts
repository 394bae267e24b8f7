// Helpers that the auth routes share: error codes, the project and user of a request, and responses that must not be cached
// (docs/wire/auth.md#project).

import type { HttpContext, HttpHandler } from '../../../core/mount-routes.ts'
import { trusted } from '../../../core/names.ts'
import type { RequestFacts } from '../../../core/observation.ts'
import type { RouteTable } from '../../../core/routes.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import { bearerOf } from '../../../platform/credentials/verify.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type { AuthErrorCode } from '../refusals.ts'
import { isAccessToken, readAccessToken } from '../sessions/access-token.ts'
import type { AccessTokenClaims } from '../sessions/sessions.ts'
import type { AuthRequest } from './auth-request.ts'

export type AuthRoutes = RouteTable<AuthDeps, HttpHandler, AuthErrorCode>

/** Codes of routes that read a body. */
export const BODY_CODES: readonly AuthErrorCode[] = ['invalid_json', 'payload_too_large']
/** Codes of routes for the signed-in user. */
export const SIGNED_IN_CODES: readonly AuthErrorCode[] = ['user_banned']
/** Codes of routes that can create the user who signs in. */
export const NEW_USER_CODES: readonly AuthErrorCode[] = ['signup_disabled', 'user_banned']

/**
 * Finds the project of the request, its settings and its addresses.
 * @param apiKey the query parameter `apikey`, for addresses that a browser opens without headers
 * @throws {AuthError | CredentialError} as `projectOfRequest`
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
    // A getter, because some routes do not need the settings, for example refresh.
    get settings() {
      return deps.settings.settingsOf(project.id)
    },
    addresses: env.addresses,
    userAgent: req.header('user-agent'),
  }
}

/** Returns the user of the bearer access_token and records the user for the journal. @throws {AuthError | CredentialError} */
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

/** Responds with JSON that contains secrets, and forbids caching. */
export function secretJson(context: HttpContext, body: object): Response {
  return context.json(body, 200, { 'cache-control': 'no-store' })
}

/** Redirects to an address that can contain secrets. Forbids caching and the Referer header. */
export function leaveTo(context: HttpContext, address: string, status: 302 | 303 = 302): Response {
  return context.body(null, status, {
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
}

export interface NamedProject {
  /** The header `X-SuperDB-Project`, which contains a slug. */
  readonly slug: string | undefined
  readonly apiKey: string | undefined
  /** The header `Authorization`, unchanged. */
  readonly authorization: string | undefined
  readonly facts: RequestFacts
}

type ProjectDeps = Pick<AuthDeps, 'projects' | 'verifier' | 'signingKeys' | 'clock'>

/** @throws {AuthError} `project_conflict`, `invalid_request`, `not_found` @throws {CredentialError} for a bad apikey */
export async function projectOfRequest(deps: ProjectDeps, named: NamedProject): Promise<Project> {
  const ofKey = await projectOfKey(deps, named.apiKey)
  const ofSlug = named.slug === undefined ? undefined : requireSlug(deps, named.slug)
  if (ofKey !== undefined && ofSlug !== undefined && ofKey.id !== ofSlug.id)
    throw new AuthError(
      'project_conflict',
      `The header X-SuperDB-Project names ${ofSlug.slug}, but the apikey belongs to ${ofKey.slug}.`,
      { hint: 'Send only one of the two, or send both for the same project.' },
    )
  const project = ofSlug ?? ofKey ?? (await projectOfToken(deps, named.authorization))
  if (project === undefined)
    throw new AuthError('invalid_request', 'The request does not name a project.', {
      hint: 'Send the header "X-SuperDB-Project: <slug>", or the project’s anon key in the header "apikey".',
    })
  named.facts.schemaName = project.schemaName
  return project
}

async function projectOfKey(
  { verifier, projects }: ProjectDeps,
  apiKey: string | undefined,
): Promise<Project | undefined> {
  if (apiKey === undefined) return undefined
  const principal = await verifier.verify(apiKey.trim(), ['principal'])
  if (principal.credentialKind === 'dataPlaneToken')
    throw new CredentialError('wrongKind', 'The apikey is a data_plane_token.', {
      hint: 'Send the project’s anon or service_role key as apikey.',
    })
  return projects.findProject(principal.projectId)
}

function requireSlug({ projects }: ProjectDeps, slug: string): Project {
  const project = projects.findProjectBySlug(slug)
  if (project?.state === 'active') return project
  throw new AuthError('not_found', `There is no active project ${JSON.stringify(slug)}.`, {
    hint: 'Send the slug of an active project in X-SuperDB-Project, without "proj_".',
  })
}

async function projectOfToken(
  { signingKeys, projects, clock }: ProjectDeps,
  authorization: string | undefined,
): Promise<Project | undefined> {
  const token = bearerOf(authorization)
  if (!isAccessToken(token)) return undefined
  const claims = await readAccessToken(signingKeys, token, clock.now())
  const project = projects.findProject(trusted.projectId(claims.projectId))
  if (project?.state === 'active') return project
  throw new CredentialError('offline', 'The project of this access_token is not active.')
}
