// What the auth service reads of a request, with its refusals: texts have to be storable (docs/wire/auth.md#errors).
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import { type BodyProblems, createRequestReader } from '../core/request-body.ts'
import { AuthError, invalidRequest } from './errors.ts'

/** Deeper values would exhaust the stack of whoever serialises them. */
const MAX_DEPTH = 64

/** Each throws {AuthError}. */
export const { decodeBody, decodeOptionalBody, decodeQuery, decodeForm } = createRequestReader({
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

function problemsOf(body: JsonObject): BodyProblems | undefined {
  for (const [name, member] of Object.entries(body)) {
    const problem = member === undefined ? undefined : problemOf(member)
    if (problem !== undefined) return { [name]: problem }
  }
  return undefined
}

// Level by level instead of recursively: a body may be nested half a million deep.
function problemOf(member: JsonValue): string | undefined {
  let level: readonly JsonValue[] = [member]
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    if (!level.every(isStorable)) return 'must not contain NUL characters or unpaired surrogates'
    level = level.flatMap(childrenOf)
    if (level.length === 0) return undefined
  }
  return `must not be nested deeper than ${MAX_DEPTH} levels`
}

// Postgres can hold neither of the two.
function isStorable(value: JsonValue): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [name] : [name, member],
    )
  return Array.isArray(value) ? value : []
}
