// Building blocks of request shapes. NUL characters and unpaired surrogates are refused for the whole body
// (request-body.ts). Unknown members are ignored, as the hosted platform does.
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../core/json.ts'

/** RFC 5321 §4.5.3.1.3 */
const EMAIL_LENGTH = 254
const NAME_LENGTH = 255
const SECRET_LENGTH = 4_096

/**
 * An e-mail address: something, one @, something, and nothing invisible. In normal form C: however a keyboard composes its
 * letters, it is one account's.
 */
export const emailShape: z.ZodType<string> = z
  .string()
  .max(EMAIL_LENGTH)
  .normalize('NFC')
  .regex(/^[^\s\p{Cc}\p{Cf}@]+@[^\s\p{Cc}\p{Cf}@]+$/u, 'must be an e-mail address')

/** A telephone number as people write it; kept in the very format it came in. */
export const phoneShape: z.ZodType<string, string> = z
  .string()
  .regex(/^[+(]?[0-9][0-9 ().-]{3,30}$/, 'must be a telephone number, such as +5511912345678')

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
