// Building blocks of request shapes: texts that every store can keep, numbers within bounds. Unknown members of a body
// are ignored, as the hosted platform does.
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../core/json.ts'

const NAME_LENGTH = 255
const DESCRIPTION_LENGTH = 4_000

/** A text of 1 to `maxLength` characters without NUL or half a surrogate pair: Postgres can hold neither. */
export function textShape(maxLength: number): z.ZodType<string> {
  return z.string().min(1).max(maxLength).refine(isStorable, {
    error: 'must not contain NUL characters or unpaired surrogates',
  })
}

export const nameShape: z.ZodType<string> = textShape(NAME_LENGTH)

/** Absent and null mean the same: nothing said. */
export const optionalText: z.ZodType<string | null | undefined> = textShape(NAME_LENGTH).nullish()

export const descriptionShape: z.ZodType<string | null | undefined> = z
  .string()
  .max(DESCRIPTION_LENGTH)
  .refine(isStorable, { error: 'must not contain NUL characters or unpaired surrogates' })
  .nullish()

export const jsonObjectShape: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, {
  error: 'must be a JSON object',
})

export const planShape: z.ZodType<'free' | 'site' | 'pro' | 'scale'> = z.enum([
  'free',
  'site',
  'pro',
  'scale',
])

/** A query parameter that counts: digits only. */
export function countShape(min: number, max: number): z.ZodType<number> {
  const problem = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,16}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
