// The type of a value that a schema describes.
import type { z } from 'zod'

/**
 * Type of a value in JSON, readonly at every level: members with a default may be absent, dates are texts. A handler receives
 * `z.output` of the schema instead.
 */
export type Shape<Schema extends z.ZodType> = Frozen<z.input<Schema>>

type Frozen<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Frozen<Value[Member]> }
  : Value
