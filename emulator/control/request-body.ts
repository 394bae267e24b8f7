// Request bodies: size, JSON, shape, each with its documented refusal (contract.md §3).
import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts'
import { readRequestText } from '../core/request-text.ts'
import { invalidRequest, ManagementError } from './errors.ts'

/** 1 MB. */
const MAX_BODY_BYTES = 1_048_576
/** Deeper values would exhaust the stack of whoever serialises them. */
const MAX_DEPTH = 64

/** Reads a body that has to be there and match `shape`. @throws {ManagementError} */
export async function decodeBody<Shape extends z.ZodType>(
  request: Request,
  shape: Shape,
): Promise<z.output<Shape>> {
  const text = await readText(request)
  return decode(requireObject(requireJson(text)), shape)
}

/** Same, where an empty body means `{}`. @throws {ManagementError} */
export async function decodeOptionalBody<Shape extends z.ZodType>(
  request: Request,
  shape: Shape,
): Promise<z.output<Shape>> {
  const text = await readText(request)
  return decode(text.trim() === '' ? {} : requireObject(requireJson(text)), shape)
}

/** Reads the query parameters `shape` names; one given twice is refused. @throws {ManagementError} */
export function decodeQuery<Shape extends z.ZodObject>(url: string, shape: Shape): z.output<Shape> {
  const query = new URL(url).searchParams
  const values: Record<string, string> = {}
  for (const name of Object.keys(shape.shape)) {
    const [value, another] = query.getAll(name)
    if (another !== undefined) throw invalidRequest({ [name]: 'must be given once' })
    if (value !== undefined) values[name] = value
  }
  return decode(values, shape)
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
      throw new ManagementError(
        'payload_too_large',
        `The body is larger than ${MAX_BODY_BYTES} bytes, the most this API reads.`,
      )
    case 'notUtf8':
      throw new ManagementError('invalid_json', 'The body is not UTF-8 text.')
    default:
      return body satisfies never
  }
}

function requireJson(text: string): JsonValue {
  const value = parseJson(text)
  if (value === undefined)
    throw new ManagementError('invalid_json', 'The body is not well-formed JSON.')
  return value
}

function requireObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw invalidRequest({ body: 'must be a JSON object' })
  if (isDeeperThan(value, MAX_DEPTH))
    throw invalidRequest({ body: `must not be nested deeper than ${MAX_DEPTH} levels` })
  return value
}

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
