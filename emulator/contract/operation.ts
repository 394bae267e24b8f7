// How the operations of /_emulator/v1 are stated. Each file of this folder has the schemas of one concept and the table of its
// operations; validation, types, the OpenAPI document, docs/reference and the typed calls of UI and CLI are derived from it.
import type { z } from 'zod'

/** Where the API is. */
export const BASE = '/_emulator/v1'

export interface Operation {
  /** One line for the OpenAPI document and docs/reference/emulator-api.md. */
  readonly summary: string
  readonly query?: z.ZodType
  /** JSON. */
  readonly body?: z.ZodType
  /** An absent body is read as `{}`. */
  readonly isBodyOptional?: true
  /** Media types of a body that is a file; the handler reads it. */
  readonly upload?: readonly string[]
  /** Schema of the JSON, or the media types of something else. */
  readonly answer: z.ZodType | readonly string[]
  /** Status of a success, 200 unless stated. */
  readonly status?: 201
  /** Answers 204 without a body when there is nothing to give. */
  readonly mayBeEmpty?: true
  /** Replaced by another operation. */
  readonly isDeprecated?: true
}

/** By method and path, as in `GET /projects/:ref/users`. */
export type OperationTable = Readonly<Record<string, Operation>>

/**
 * A value as it travels, readonly all the way down: members with a default may be absent, dates are texts. What a handler
 * receives is `z.output` of the schema.
 */
export type Shape<Schema extends z.ZodType> = Frozen<z.input<Schema>>

type Frozen<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Frozen<Value[Member]> }
  : Value

/** Names of the parameters in a path: `ref` and `id` of `GET /projects/:ref/users/:id`. */
export type ParamName<Name extends string> = Name extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamName<Rest>
  : Name extends `${string}:${infer Param}`
    ? Param
    : never

/** Method and path below `BASE` of a call; members of the query that are `undefined` are left out. */
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
