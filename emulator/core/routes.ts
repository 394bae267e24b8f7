// Routes of a service as one table: methods, path, what the operation is called, which codes it answers, and its handler. The
// service mounts the table; the faults derive from it what a fault can be aimed at (faults/operations).

/** In the order of the header `Allow`. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

/**
 * Every method that the route answers and its path: `GET,HEAD /auth/v1/user`. `:name` matches one segment; `*` at the end
 * matches the rest.
 */
export type RouteKey = `${Method} /${string}` | `${Method},${string} /${string}`

/** What a route says of itself beside its handler. */
export interface Operation<Code extends string = string> {
  /** For example `user.password`. Several routes may be one operation. */
  readonly operation: string
  /** One short sentence, as the list of faults shows it. */
  readonly title: string
  /** Codes of its own; those of every route of the service are listed once, beside the table. */
  readonly codes: readonly Code[]
  /** Stores bytes, so that a fault can simulate a full disk. */
  readonly storesBytes?: true
}

/** The handler is made from the service's dependencies when the table is mounted. */
export interface Route<Deps, Handler, Code extends string> extends Operation<Code> {
  readonly handler: (deps: Deps) => Handler
}

/** Static; of two routes that match, a service's router takes the first or the more specific one. */
export type RouteTable<Deps, Handler, Code extends string> = {
  readonly [Key in RouteKey]: Route<Deps, Handler, Code>
}

/** Takes a key apart. */
export function parseRouteKey(key: string): {
  readonly methods: readonly string[]
  readonly path: string
} {
  const [methods = '', path = ''] = key.split(' ')
  return { methods: methods.split(','), path }
}
