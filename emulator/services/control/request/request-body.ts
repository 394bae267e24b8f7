// Reads bodies and queries of management requests and rejects invalid ones (docs/wire/errors.md#management). Ignores unknown
// members, as the hosted platform does.

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../core/json.ts'
import {
  createRequestReader,
  isStorable,
  MAX_DEPTH,
  NAME_LENGTH,
  PROBLEMS,
  type RequestReader,
} from '../../../core/request-body.ts'
import { invalidRequest, ManagementError } from '../errors.ts'

export { jsonObjectShape } from '../../../core/request-body.ts'

const reader: RequestReader = createRequestReader({
  unreadable: (code, message) => new ManagementError(code, message),
  invalid: invalidRequest,
  problemsOf: (body) => (isDeeperThan(body, MAX_DEPTH) ? { body: PROBLEMS.tooDeep } : undefined),
})

/** @throws {ManagementError} */
export const decodeBody: RequestReader['decodeBody'] = reader.decodeBody
/** @throws {ManagementError} */
export const decodeOptionalBody: RequestReader['decodeOptionalBody'] = reader.decodeOptionalBody
/** @throws {ManagementError} */
export const decodeQuery: RequestReader['decodeQuery'] = reader.decodeQuery

function isDeeperThan(value: JsonObject, limit: number): boolean {
  let level: readonly JsonValue[] = [value]
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null
        ? Object.values(node).filter((child): child is JsonValue => typeof child === 'object')
        : [],
    )
    if (level.length === 0) return false
  }
  return true
}

const DESCRIPTION_LENGTH = 4_000

/** A text of 1 to `maxLength` characters. Rejects NUL and unpaired surrogates, which Postgres cannot store. */
export function textShape(maxLength: number): z.ZodType<string> {
  return z.string().min(1).max(maxLength).refine(isStorable, { error: PROBLEMS.notStorable })
}

export const nameShape: z.ZodType<string> = textShape(NAME_LENGTH)

/** An optional text. Null means the same as an absent member. */
export const optionalText: z.ZodType<string | null | undefined> = textShape(NAME_LENGTH).nullish()

export const descriptionShape: z.ZodType<string | null | undefined> = z
  .string()
  .max(DESCRIPTION_LENGTH)
  .refine(isStorable, { error: PROBLEMS.notStorable })
  .nullish()

/**
 * A slug (docs/wire/platform.md#slug). The schema accepts any value, because commands check slugs themselves and throw
 * `invalid_slug` instead of `invalid_request`.
 */
export const slugShape: z.ZodType<unknown> = z
  .unknown()
  .meta({ type: 'string', pattern: '^[a-z0-9_]{1,44}$' })
  .optional()

export const planShape: z.ZodType<'free' | 'site' | 'pro' | 'scale'> = z.enum([
  'free',
  'site',
  'pro',
  'scale',
])

/** A query parameter with an integer from `min` to `max`, written in digits only. */
export function countShape(min: number, max: number): z.ZodType<number> {
  const problem = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,16}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined })
}
