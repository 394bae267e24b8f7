// Routes as data: a path, its methods and their handlers. The table also answers what a path does not serve.
import type { Context, Hono } from 'hono'
import type { RequestEnv } from '../../core/request-env.ts'
import type { Presented } from '../authenticate.ts'
import type { Occasion } from '../deps.ts'
import { ManagementError } from '../errors.ts'

export interface ControlEnv {
  readonly Bindings: RequestEnv
}

export type ControlContext = Context<ControlEnv>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Handler = (context: ControlContext) => Response | Promise<Response>
export type RouteTable = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>

/** Mounts a table; any other method of a path is 405 with `Allow`. */
export function mountRoutes(app: Hono<ControlEnv>, table: RouteTable): void {
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
export function pathParam(context: ControlContext, name: string): string {
  return context.req.param(name) ?? ''
}

/** The credential presented, and where to note what it said. */
export function presented(context: ControlContext): Presented {
  return { authorization: context.req.header('authorization'), facts: context.env.facts }
}

export function occasionOf(context: ControlContext): Occasion {
  return { requestId: context.env.requestId, addresses: context.env.addresses }
}

/** 204 without a body. */
export function noContent(): Response {
  return new Response(null, { status: 204 })
}

function methodNotAllowed(method: string, allowed: readonly string[]): ManagementError {
  const list = allowed.join(', ')
  return new ManagementError('method_not_allowed', `${method} is not allowed here; use ${list}.`, {
    headers: { allow: list },
  })
}
