// E-mail addresses and telephone numbers as request shapes.
import { z } from 'zod'

/** RFC 5321 §4.5.3.1.3 */
const EMAIL_LENGTH = 254

/**
 * An e-mail address: text, one @, text, without invisible characters. In normal form C, so that one account has one address
 * however a keyboard composes its letters.
 */
export const emailShape: z.ZodType<string, string> = z
  .string()
  .max(EMAIL_LENGTH)
  .normalize('NFC')
  .regex(/^[^\s\p{Cc}\p{Cf}@]+@[^\s\p{Cc}\p{Cf}@]+$/u, 'must be an e-mail address')

/** A telephone number as people write it; kept in exactly that format. */
export const phoneShape: z.ZodType<string, string> = z
  .string()
  .regex(/^[+(]?[0-9][0-9 ().-]{3,30}$/, 'must be a telephone number, such as +5511912345678')
