// Serves the route tables of auth and the control plane, the services that use Hono.
import { type Context, Hono } from 'hono'
import { asPartOf } from './current-request.ts'
import type { RequestEnv, ServiceApp } from './request-env.ts'
import { METHODS, parseRouteKey, type RouteTable } from './routes.ts'

export interface HttpEnv {
  readonly Bindings: RequestEnv
}

export type HttpContext = Context<HttpEnv>
export type HttpHandler = (context: HttpContext) => Response | Promise<Response>

/** Creates a service's errors for requests that no route answers, and renders all errors of the service. */
export interface RouteErrors extends Omit<ServiceApp, 'answer'> {
  unknownRoute(route: string): Error
  methodNotAllowed(method: string, allowed: string): Error
}

/**
 * Serves the routes in the table's order. Handlers throw errors, and the HTTP edge renders them. Hono answers HEAD with the
 * handler of GET.
 */
export function serveRoutes<Deps>(
  table: RouteTable<Deps, HttpHandler, string>,
  deps: Deps,
  { unknownRoute, methodNotAllowed, ...rendering }: RouteErrors,
): ServiceApp {
  const app = new Hono<HttpEnv>({ strict: false })
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
      throw methodNotAllowed(context.req.method, allowed)
    })
  }
  app.notFound(({ req }) => {
    throw unknownRoute(`${req.method} ${req.path}`)
  })
  app.onError((error) => {
    throw error
  })
  return {
    answer: (request, env) => asPartOf(env.requestId, () => app.fetch(request.web, env)),
    ...rendering,
  }
}

/** Returns a path parameter. The parameter exists, because routes read only parameters that their path declares. */
export function pathParam(context: HttpContext, name: string): string {
  return context.req.param(name) ?? ''
}
