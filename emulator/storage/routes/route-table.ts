// Routes as data: `METHOD /fixed/:bucket/*` and their handlers. Matched here and not by a router's library: a key is
// decoded once, whole, whatever it contains, and the more specific of two paths wins wherever it is listed.
import type { RequestEnv } from '../../core/request-env.ts'
import { StorageError } from '../errors.ts'

/** One request, its path taken apart. */
export interface StorageCall {
  readonly request: Request
  readonly env: RequestEnv
  readonly query: URLSearchParams
  /** What `:bucket` stands for, decoded; empty when the route has none. */
  readonly bucket: string
  /** What `*` stands for, decoded; empty when the route has none. */
  readonly objectKey: string
}

export type StorageHandler = (call: StorageCall) => Response | Promise<Response>
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
export type StorageRoutes = Readonly<
  Record<string, Readonly<Partial<Record<Method, StorageHandler>>>>
>

export type Router = (request: Request, env: RequestEnv) => Response | Promise<Response>

interface Route {
  readonly segments: readonly string[]
  readonly hasRest: boolean
  readonly handler: StorageHandler
}

/** Where the service stands on the single origin; on its own host it stands at the root (docs/wire/storage.md). */
const MOUNT = '/storage/v1'

/** Builds one router of all tables. @throws {StorageError} `routeNotFound` from the router */
export function createRouter(tables: readonly StorageRoutes[]): Router {
  const routes = new Map<string, Route[]>()
  for (const table of tables)
    for (const [path, handlers] of Object.entries(table))
      for (const [method, handler] of Object.entries(handlers))
        routes.set(method, [...(routes.get(method) ?? []), routeOf(path, handler)])
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

// The text as it was sent: a parsed URL would not tell `%2F` and `/` apart in what it decodes.
function targetOf(url: string): string {
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return target.startsWith(`${MOUNT}/`) ? target.slice(MOUNT.length) : target
}

function routeOf(path: string, handler: StorageHandler): Route {
  const segments = path.slice(1).split('/')
  const hasRest = segments.at(-1) === '*'
  return { segments: hasRest ? segments.slice(0, -1) : segments, hasRest, handler }
}

// Fixed words first, then longer ones: `/object/info/:bucket/*` before `/object/:bucket/*`.
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
