// Mounts the route tables of the services that use Hono: auth and the control plane.
import type { Context, Hono } from 'hono'
import type { RequestEnv } from './request-env.ts'
import { METHODS, parseRouteKey, type RouteTable } from './routes.ts'

export interface HttpEnv {
  readonly Bindings: RequestEnv
}

export type HttpContext = Context<HttpEnv>
export type HttpHandler = (context: HttpContext) => Response | Promise<Response>

/**
 * Mounts a table in its order. Any other method of a path throws what `refuse` makes of it and the methods of `Allow`. Hono
 * answers HEAD with the handler of GET.
 */
export function mountRoutes<Deps>(
  app: Hono<HttpEnv>,
  table: RouteTable<Deps, HttpHandler, string>,
  deps: Deps,
  refuse: (method: string, allowed: string) => Error,
): void {
  const routes = Object.entries(table).map(([key, route]) => ({ ...route, ...parseRouteKey(key) }))
  for (const [path, samePath] of Map.groupBy(routes, (route) => route.path)) {
    for (const { methods, handler } of samePath)
      app.on(
        methods.filter((method) => method !== 'HEAD'),
        path,
        handler(deps),
      )
    const methods = new Set<string>(samePath.flatMap((route) => route.methods))
    const allowed = METHODS.filter((method) => methods.has(method)).join(', ')
    app.all(path, (context) => {
      throw refuse(context.req.method, allowed)
    })
  }
}

/** A parameter of the path; routes read only parameters that their paths have. */
export function pathParam(context: HttpContext, name: string): string {
  return context.req.param(name) ?? ''
}
