// Decodes JSON bodies and query parameters. The errors have the texts of upstream's validator (docs/wire/storage.md).
import type { z } from 'zod'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import { bytesOf } from './request-bytes.ts'

/** 1 MiB, the limit of upstream's framework for a JSON body. */
const MAX_BODY_BYTES = 1_048_576

/** Reads a JSON body and validates it with the schema. @throws {StorageError} `invalidRequest`, `unreadableBody`, `tooLarge` */
export async function decodeBody<Shape extends z.ZodType>(
  { request, env }: Pick<StorageCall, 'request' | 'env'>,
  shape: Shape,
): Promise<z.output<Shape>> {
  return decode('body', await readJson(request, env), shape)
}

/** Validates the query parameters with the schema. @throws {StorageError} `invalidRequest` */
export function decodeQuery<Shape extends z.ZodType>(
  query: URLSearchParams,
  shape: Shape,
): z.output<Shape> {
  return decode('querystring', Object.fromEntries(query), shape)
}

async function readJson(request: Request, env: RequestEnv): Promise<JsonValue> {
  const text = await readText(request, env)
  const isJson = request.headers.get('content-type')?.startsWith('application/json') ?? false
  if (text === '') {
    if (!isJson) return null
    throw new StorageError('unreadableBody')
  }
  const value = parseJson(text)
  if (value === undefined)
    throw new StorageError(
      'unreadableBody',
      "Body is not valid JSON but content-type is set to 'application/json'",
    )
  return value
}

async function readText(request: Request, env: RequestEnv): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytesOf(request, env)) {
    size += piece.byteLength
    if (size > MAX_BODY_BYTES)
      throw new StorageError('tooLarge', `A JSON body can have at most ${MAX_BODY_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function decode<Shape extends z.ZodType>(
  place: 'body' | 'querystring',
  value: JsonValue,
  shape: Shape,
): z.output<Shape> {
  const decoded = shape.safeParse(value)
  if (decoded.success) return decoded.data
  const problems = decoded.error.issues.map((issue) => problemOf(place, value, issue))
  // Missing members are reported before other problems, as upstream's validator does.
  throw refuse.request(
    problems.find((problem) => problem.includes('required property')) ??
      problems[0] ??
      `${place} is not valid`,
  )
}

function problemOf(place: string, value: JsonValue, issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String)
  if (issue.code === 'invalid_type' && isMissing(value, path))
    return `${[place, ...path.slice(0, -1)].join('/')} must have required property '${path.at(-1)}'`
  return `${[place, ...path].join('/')} ${complaintOf(issue)}`
}

function isMissing(value: JsonValue, path: readonly string[]): boolean {
  if (path.length === 0) return false
  let holder: JsonValue | undefined = value
  for (const name of path.slice(0, -1)) holder = isJsonObject(holder) ? holder[name] : undefined
  return isJsonObject(holder) && holder[path.at(-1) ?? ''] === undefined
}

function complaintOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'too_small':
      if (issue.origin === 'array') return `must NOT have fewer than ${issue.minimum} items`
      if (issue.origin === 'string') return `must NOT have fewer than ${issue.minimum} characters`
      return `must be >= ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must NOT have more than ${issue.maximum} items`
      if (issue.origin === 'string') return `must NOT have more than ${issue.maximum} characters`
      return `must be <= ${issue.maximum}`
    case 'invalid_value':
      return 'must be equal to one of the allowed values'
    default:
      return issue.message
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  number: 'integer',
  record: 'object',
}
