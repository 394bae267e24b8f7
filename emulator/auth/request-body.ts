// Request bodies: size, JSON, storable texts, shape, each with its refusal (contract.md §6).
import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts'
import { readRequestText } from '../core/request-text.ts'
import { AuthError, invalidRequest } from './errors.ts'

/** 1 MB. */
const MAX_BODY_BYTES = 1_048_576
/** Deeper values would exhaust the stack of whoever serialises them. */
const MAX_DEPTH = 64

/** Reads a body that has to be there and match `shape`. @throws {AuthError} */
export async function decodeBody<Shape extends z.ZodType>(
  request: Request,
  shape: Shape,
): Promise<z.output<Shape>> {
  return decode(requireObject(requireJson(await readText(request))), shape)
}

/** Same, where an empty body means `{}`. @throws {AuthError} */
export async function decodeOptionalBody<Shape extends z.ZodType>(
  request: Request,
  shape: Shape,
): Promise<z.output<Shape>> {
  const text = await readText(request)
  return decode(text.trim() === '' ? {} : requireObject(requireJson(text)), shape)
}

/** Reads the query parameters `shape` names; one given twice is refused. @throws {AuthError} */
export function decodeQuery<Shape extends z.ZodObject>(url: string, shape: Shape): z.output<Shape> {
  return decodeParameters(new URL(url).searchParams, shape)
}

/** Reads what a form of one of our own pages sent (application/x-www-form-urlencoded). @throws {AuthError} */
export async function decodeForm<Shape extends z.ZodObject>(
  request: Request,
  shape: Shape,
): Promise<z.output<Shape>> {
  return decodeParameters(new URLSearchParams(await readText(request)), shape)
}

function decodeParameters<Shape extends z.ZodObject>(
  query: URLSearchParams,
  shape: Shape,
): z.output<Shape> {
  const values: Record<string, string> = {}
  for (const name of Object.keys(shape.shape)) {
    const [value, another] = query.getAll(name)
    if (another !== undefined) throw invalidRequest({ [name]: 'must be given once' })
    if (value !== undefined) values[name] = value
  }
  return decode(requireObject(values), shape)
}

function decode<Shape extends z.ZodType>(value: JsonObject, shape: Shape): z.output<Shape> {
  const decoded = shape.safeParse(value)
  if (decoded.success) return decoded.data
  const details: Record<string, string> = {}
  for (const issue of decoded.error.issues)
    details[issue.path.join('.') || 'body'] ??= issue.message
  throw invalidRequest(details)
}

async function readText(request: Request): Promise<string> {
  const body = await readRequestText(request, MAX_BODY_BYTES)
  switch (body.kind) {
    case 'text':
      return body.text
    case 'tooLarge':
      throw new AuthError(
        'payload_too_large',
        `The body is larger than ${MAX_BODY_BYTES} bytes, the most this API reads.`,
      )
    case 'notUtf8':
      throw new AuthError('invalid_json', 'The body is not UTF-8 text.')
    default:
      return body satisfies never
  }
}

function requireJson(text: string): JsonValue {
  const value = parseJson(text)
  if (value === undefined)
    throw new AuthError('invalid_json', 'The body is not well-formed JSON.', {
      hint: 'Send a JSON object with Content-Type: application/json.',
    })
  return value
}

function requireObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw invalidRequest({ body: 'must be a JSON object' })
  for (const [name, member] of Object.entries(value)) {
    const problem = member === undefined ? undefined : problemOf(member)
    if (problem !== undefined) throw invalidRequest({ [name]: problem })
  }
  return value
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
