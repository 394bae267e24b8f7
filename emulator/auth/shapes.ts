// Building blocks of request shapes. NUL characters and unpaired surrogates are refused for the whole body
// (request-body.ts). Unknown members are ignored, as the hosted platform does.
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../core/json.ts'

export { emailShape, phoneShape } from '../core/contact-shapes.ts'

const NAME_LENGTH = 255
const SECRET_LENGTH = 4_096

/** Any text; its rules are `weak_password`'s business. */
export const passwordShape: z.ZodType<string> = z.string().min(1)

/** A token or code as it came. */
export const secretShape: z.ZodType<string> = z.string().min(1).max(SECRET_LENGTH)

/** Absent and null mean the same: nothing said. */
export const optionalName: z.ZodType<string | null | undefined> = z
  .string()
  .max(NAME_LENGTH)
  .nullish()

/** User metadata. */
export const jsonObjectShape: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, {
  error: 'must be a JSON object',
})
