// Types of JSON values, and helpers for decoders.

/** A value of JSON (RFC 8259). */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
/** An object of JSON (RFC 8259). */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Parses JSON text. Returns `undefined` for malformed text; valid JSON never yields `undefined`. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Serialises with sorted keys, so that equal values produce equal text. */
export function stableStringify(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(stableStringify).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key]
      return member === undefined ? [] : [`${JSON.stringify(key)}:${stableStringify(member)}`]
    })
  return `{${members.join(',')}}`
}
