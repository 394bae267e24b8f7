// What the management APIs read of a request, with their refusals (docs/wire/errors.md#management).
import type { JsonObject, JsonValue } from '../core/json.ts'
import { createRequestReader } from '../core/request-body.ts'
import { invalidRequest, ManagementError } from './errors.ts'

/** Deeper values would exhaust the stack of whoever serialises them. */
const MAX_DEPTH = 64

/** Each throws {ManagementError}. */
export const { decodeBody, decodeOptionalBody, decodeQuery } = createRequestReader({
  unreadable: (code, message) => new ManagementError(code, message),
  invalid: invalidRequest,
  problemsOf: (body) =>
    isDeeperThan(body, MAX_DEPTH)
      ? { body: `must not be nested deeper than ${MAX_DEPTH} levels` }
      : undefined,
})

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
