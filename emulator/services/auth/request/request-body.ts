// Reads bodies and queries of auth requests (docs/wire/auth.md#errors). Rejects text that Postgres cannot store. Ignores unknown
// members, as the hosted platform does.
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import {
  type BodyProblems,
  createRequestReader,
  isStorable,
  MAX_DEPTH,
  NAME_LENGTH,
  PROBLEMS,
  type RequestReader,
} from '../../../core/request-body.ts'
import { AuthError, invalidRequest } from '../errors.ts'

export { emailShape, phoneShape } from '../../../core/contact-shapes.ts'
export { jsonObjectShape } from '../../../core/request-body.ts'

const reader: RequestReader = createRequestReader({
  unreadable: (code, message) =>
    new AuthError(
      code,
      message,
      code === 'invalid_json'
        ? { hint: 'Send a JSON object with Content-Type: application/json.' }
        : {},
    ),
  invalid: invalidRequest,
  problemsOf,
})

/** @throws {AuthError} */
export const decodeBody: RequestReader['decodeBody'] = reader.decodeBody
/** @throws {AuthError} */
export const decodeOptionalBody: RequestReader['decodeOptionalBody'] = reader.decodeOptionalBody
/** @throws {AuthError} */
export const decodeQuery: RequestReader['decodeQuery'] = reader.decodeQuery
/** @throws {AuthError} */
export const decodeForm: RequestReader['decodeForm'] = reader.decodeForm

function problemsOf(body: JsonObject): BodyProblems | undefined {
  for (const [name, member] of Object.entries(body)) {
    const problem = member === undefined ? undefined : problemOf(member)
    if (problem !== undefined) return { [name]: problem }
  }
  return undefined
}

// Iterates level by level, because recursion would overflow the stack on a body with half a million levels.
function problemOf(member: JsonValue): string | undefined {
  let level: readonly JsonValue[] = [member]
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    if (!level.every((value) => typeof value !== 'string' || isStorable(value)))
      return PROBLEMS.notStorable
    level = level.flatMap(childrenOf)
    if (level.length === 0) return undefined
  }
  return PROBLEMS.tooDeep
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [name] : [name, member],
    )
  return Array.isArray(value) ? value : []
}

const SECRET_LENGTH = 4_096

/** Any non-empty text. `requireStrength` checks the rules for passwords. */
export const passwordShape: z.ZodType<string> = z.string().min(1)

/** A token or code from the request. The handler checks the format. */
export const secretShape: z.ZodType<string> = z.string().min(1).max(SECRET_LENGTH)

/** An optional name. Null means the same as an absent member. */
export const optionalName: z.ZodType<string | null | undefined> = z
  .string()
  .max(NAME_LENGTH)
  .nullish()
