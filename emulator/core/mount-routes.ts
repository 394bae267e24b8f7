// Mounts the route tables of auth and the control plane, the services that use Hono.
import type { Context, Hono } from 'hono'
import type { RequestEnv } from './request-env.ts'
import { METHODS, parseRouteKey, type RouteTable } from './routes.ts'

export interface HttpEnv {
  readonly Bindings: RequestEnv
}

export type HttpContext = Context<HttpEnv>
export type HttpHandler = (context: HttpContext) => Response | Promise<Response>

/**
 * Mounts the routes in the table's order. A request with another method of a known path gets the error that `refuse` returns.
 * Hono answers HEAD with the handler of GET.
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

/** Returns a path parameter. The parameter exists, because routes read only parameters that their path declares. */
export function pathParam(context: HttpContext, name: string): string {
  return context.req.param(name) ?? ''
}
