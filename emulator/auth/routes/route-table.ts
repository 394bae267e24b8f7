// Routes as data: a path, its methods and their handlers. The table also answers what a path does not serve.
import type { Context, Hono } from 'hono'
import type { RequestEnv } from '../../core/request-env.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type { Occasion } from '../occasion.ts'
import { projectOfRequest } from '../project-of-request.ts'
import type { AccessTokenClaims } from '../sessions.ts'

export interface AuthEnv {
  readonly Bindings: RequestEnv
}

export type AuthContext = Context<AuthEnv>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Handler = (context: AuthContext) => Response | Promise<Response>
export type RouteTable = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>

/** Mounts a table; any other method of a path is 405 with `Allow`. */
export function mountRoutes(app: Hono<AuthEnv>, table: RouteTable): void {
  for (const [path, handlers] of Object.entries(table)) {
    for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler)
    const allowed = Object.keys(handlers).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
    app.all(path, (context) => {
      throw methodNotAllowed(context.req.method, allowed)
    })
  }
}

/** A parameter of the path; tables name only parameters their paths have. */
export function pathParam(context: AuthContext, name: string): string {
  return context.req.param(name) ?? ''
}

/**
 * The project the request is about and what an operation needs to know of the request.
 * @param apiKey where the key may also stand: `?apikey=` of an address that a browser opens
 * @throws {AuthError | CredentialError} as project-of-request.ts
 */
export async function occasionOf(
  deps: AuthDeps,
  context: AuthContext,
  apiKey?: string,
): Promise<Occasion> {
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
  context: AuthContext,
  occasion: Occasion,
): Promise<AccessTokenClaims> {
  const claims = await deps.sessions.authenticate(occasion, context.req.header('authorization'))
  const { facts } = context.env
  facts.subject = claims.userId
  facts.role = 'authenticated'
  facts.credentialKind = 'accessToken'
  return claims
}

/** An answer that holds secrets: nobody on the way may keep it. */
export function secretJson(context: AuthContext, body: object): Response {
  return context.json(body, 200, { 'cache-control': 'no-store' })
}

/** Sends a browser on to an address that may hold secrets. */
export function leaveTo(context: AuthContext, address: string, status: 302 | 303 = 302): Response {
  return context.body(null, status, {
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
}

function methodNotAllowed(method: string, allowed: readonly string[]): AuthError {
  const list = allowed.join(', ')
  return new AuthError('method_not_allowed', `${method} is not allowed here; use ${list}.`, {
    headers: { allow: list },
  })
}
