// Finds the handler of a request. A router library would not fit, for two reasons. An object key must be decoded exactly once,
// whatever it contains. The more specific of two matching paths must win, independent of their order.
import type { RequestEnv } from '../../../core/request-env.ts'
import { parseRouteKey, type RouteKey } from '../../../core/routes.ts'
import { StorageError } from '../errors.ts'
import type { StorageCall, StorageHandler } from '../storage-call.ts'

/** All routes that have a handler, including those that are not listed as operations. */
export type MountedRoutes<Deps> = Readonly<
  Record<RouteKey, { readonly handler: (deps: Deps) => StorageHandler }>
>

export type Router = (request: Request, env: RequestEnv) => Response | Promise<Response>

interface Route {
  readonly segments: readonly string[]
  readonly hasRest: boolean
  readonly handler: StorageHandler
}

/** Path prefix on the single origin. The storage host has no prefix (docs/wire/storage.md). */
const MOUNT = '/storage/v1'

/** Builds the router for a table. @throws {StorageError} `routeNotFound` when a request matches no route */
export function createRouter<Deps>(table: MountedRoutes<Deps>, deps: Deps): Router {
  const routes = new Map<string, Route[]>()
  for (const [key, { handler }] of Object.entries(table)) {
    const { methods, path } = parseRouteKey(key)
    const route = routeOf(path, handler(deps))
    for (const method of methods) routes.set(method, [...(routes.get(method) ?? []), route])
  }
  for (const list of routes.values()) list.sort((a, b) => specificity(b) - specificity(a))

  return (request, env) => {
    const target = targetOf(request.url)
    const question = target.indexOf('?')
    const path = question < 0 ? target : target.slice(0, question)
    const segments = path.slice(1).split('/')
    for (const route of routes.get(request.method) ?? []) {
      const match = matchRoute(route, segments)
      if (match === undefined) continue
      const query = new URLSearchParams(question < 0 ? '' : target.slice(question))
      return route.handler({ request, env, query, ...match })
    }
    throw new StorageError('routeNotFound', `Route ${request.method}:${target} not found`)
  }
}

// The raw URL is used, because decoding would make `%2F` and `/` equal.
function targetOf(url: string): string {
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return target.startsWith(`${MOUNT}/`) ? target.slice(MOUNT.length) : target
}

function routeOf(path: string, handler: StorageHandler): Route {
  const segments = path.slice(1).split('/')
  const hasRest = segments.at(-1) === '*'
  return { segments: hasRest ? segments.slice(0, -1) : segments, hasRest, handler }
}

// Paths with more fixed segments come first, then longer paths: `/object/info/:bucket/*` before `/object/:bucket/*`.
function specificity({ segments, hasRest }: Route): number {
  const fixed = segments.filter((segment) => !segment.startsWith(':')).length
  return fixed * 100 + segments.length * 2 + (hasRest ? 0 : 1)
}

function matchRoute(
  { segments, hasRest }: Route,
  path: readonly string[],
): Pick<StorageCall, 'bucket' | 'objectKey'> | undefined {
  if (hasRest ? path.length <= segments.length : path.length !== segments.length) return undefined
  let bucket = ''
  for (const [index, segment] of segments.entries()) {
    const text = path[index] ?? ''
    if (segment.startsWith(':')) {
      if (text === '') return undefined
      bucket = decode(text)
    } else if (segment !== text) return undefined
  }
  return { bucket, objectKey: hasRest ? decode(path.slice(segments.length).join('/')) : '' }
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StorageError('invalidRequest', `'${text}' is not a valid url component`)
  }
}
