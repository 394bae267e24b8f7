// Request schemas for e-mail addresses and telephone numbers.
import { z } from 'zod'

/** Maximum length of an e-mail address (RFC 5321 §4.5.3.1.3). */
const EMAIL_LENGTH = 254

/**
 * An e-mail address: text, one @, text, without invisible characters. The schema converts it to Unicode normal form C, because
 * keyboards encode the same letter in different ways.
 */
export const emailShape: z.ZodType<string, string> = z
  .string()
  .max(EMAIL_LENGTH)
  .normalize('NFC')
  .regex(/^[^\s\p{Cc}\p{Cf}@]+@[^\s\p{Cc}\p{Cf}@]+$/u, 'must be an e-mail address')
  // Programs that read an OpenAPI document often lack \p in patterns.
  .meta({ format: 'idn-email', pattern: undefined })

/** A telephone number in any usual notation. The schema keeps the number exactly as given. */
export const phoneShape: z.ZodType<string, string> = z
  .string()
  .regex(/^[+(]?[0-9][0-9 ().-]{3,30}$/, 'must be a telephone number, such as +5511912345678')
