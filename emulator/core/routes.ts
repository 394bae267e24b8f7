// Type of a service's route table: methods, path, operation name, error codes and handler of each route. The service mounts the
// table. insight/faults/operations derives from the table which operations a fault can target.

import type { z } from 'zod'

/** Methods of routes, in the order of the header `Allow`. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

/**
 * Methods and path of a route, such as `GET,HEAD /auth/v1/user`. `:name` matches one segment; `*` at the end matches the rest.
 */
export type RouteKey = `${Method} /${string}` | `${Method},${string} /${string}`

/** Description of a route, without its handler. */
export interface Operation<Code extends string = string> {
  /** For example `user.password`. Several routes may share an operation. */
  readonly operation: string
  /** One short sentence about the route, which the list of faults shows. */
  readonly title: string
  /** Codes specific to this route. Codes that every route of the service can answer are listed beside the table. */
  readonly codes: readonly Code[]
  /** Whether the operation stores bytes, so that a fault can simulate a full disk. */
  readonly storesBytes?: true
  /** Schema with which the handler decodes the JSON body. The OpenAPI documents contain it. */
  readonly body?: z.ZodType
  /** The handler decodes an empty body as `{}`. */
  readonly isBodyOptional?: true
  /** Schema with which the handler decodes a form (application/x-www-form-urlencoded). */
  readonly form?: z.ZodType
  /** Schema with which the handler decodes the query. */
  readonly query?: z.ZodType
}

/** A route with a function that creates its handler from the service's dependencies when the table is mounted. */
export interface Route<Deps, Handler, Code extends string> extends Operation<Code> {
  readonly handler: (deps: Deps) => Handler
}

/** A constant table. When two routes match, the service's router takes the first or the more specific one. */
export type RouteTable<Deps, Handler, Code extends string> = {
  readonly [Key in RouteKey]: Route<Deps, Handler, Code>
}

/** Splits a key into its methods and path. */
export function parseRouteKey(key: string): {
  readonly methods: readonly string[]
  readonly path: string
} {
  const [methods = '', path = ''] = key.split(' ')
  return { methods: methods.split(','), path }
}
