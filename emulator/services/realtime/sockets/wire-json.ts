// Parses JSON from callers. Refuses deeply nested JSON, because serialising such JSON would overflow the stack. Pure.
import { type JsonValue, parseJson } from '../../../core/json.ts'

/** Maximum nesting depth of JSON. */
const MAX_DEPTH = 512

/** Parses JSON text. Returns `undefined` when it is malformed or nested too deep. */
export function parseWireJson(text: string): JsonValue | undefined {
  return text.length > MAX_DEPTH && isTooDeep(text) ? undefined : parseJson(text)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (OPENING.has(code)) depth += 1
    else if (CLOSING.has(code)) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE)
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
