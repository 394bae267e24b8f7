// Types that describe the operations of /_emulator/v1. Each file of this folder has the schemas of one resource and the table
// of its operations. Validation, types, the OpenAPI document, docs/reference and the typed calls of UI and CLI are derived from
// them.
import type { z } from 'zod'

/** Base path of the API. */
export const BASE = '/_emulator/v1'

/**
 * Name of a header. The inspector's pages set it to 1 on requests that they send to the platform. For sockets, it is a query
 * parameter.
 */
export const INSPECTOR_MARK = 'x-tenantry-inspector'

export interface Operation {
  /** One sentence for the OpenAPI document and docs/reference/emulator-api.md. */
  readonly summary: string
  readonly query?: z.ZodType
  /** Schema of a JSON body. */
  readonly body?: z.ZodType
  /** An absent body counts as `{}`. */
  readonly isBodyOptional?: true
  /** Media types of an uploaded file. The handler reads its body itself. */
  readonly upload?: readonly string[]
  /** Schema of a JSON answer, or the media types of any other answer. */
  readonly answer: z.ZodType | readonly string[]
  /** HTTP status of a success. Default: 200. */
  readonly status?: 201
  /** The handler may answer 204 without a body. */
  readonly mayBeEmpty?: true
  /** Another operation replaces this one. */
  readonly isDeprecated?: true
}

/** Header of every answer: the number of live events when the request arrived (contract/events.ts, `hello`). */
export const EVENTS_HEADER = 'x-tenantry-events'

/** Header of every answer: the number of live events when the answer was ready. Later reads include the effects of all of them. */
export const EVENTS_AFTER_HEADER = 'x-tenantry-events-after'

/** The operations of one resource. A key is method and path, e.g. `GET /projects/:ref/users`. */
export type OperationTable = Readonly<Record<string, Operation>>

export type { Shape } from '../core/shape.ts'

/** Names of a path's parameters, e.g. `ref` and `id` of `GET /projects/:ref/users/:id`. */
export type ParamName<Name extends string> = Name extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamName<Rest>
  : Name extends `${string}:${infer Param}`
    ? Param
    : never

/** Returns the method and the path below `BASE` for a call. Leaves out query members that are `undefined`. */
export function requestLine(
  name: string,
  { params = {}, query = {} }: { readonly params?: unknown; readonly query?: unknown },
): readonly [method: string, path: string] {
  const [method = '', template = ''] = name.split(' ')
  const values = new Map(Object.entries(params as object))
  const path = template.replace(/:(\w+)/g, (_, param) => encoded(values.get(param)))
  const search = Object.entries(query as object)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => `${member}=${encoded(value)}`)
  return [method, search.length === 0 ? path : `${path}?${search.join('&')}`]
}

function encoded(value: unknown): string {
  return encodeURIComponent(String(value))
}
