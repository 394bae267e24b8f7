// Reads a request's body and parameters, and checks size, JSON and schema. Each API renders refusals in its own format
// (docs/wire/errors.md).
import { z } from 'zod'
import { isJsonObject, type JsonObject, parseJson } from './json.ts'
import { readRequestText } from './request-text.ts'

/** Maximum levels of nesting. Serialising a much deeper value overflows the stack. */
export const MAX_DEPTH = 64
/** Maximum characters of a name. */
export const NAME_LENGTH = 255

/** Messages for values that have the right type, but that the emulator does not accept. */
export const PROBLEMS: Readonly<Record<'notStorable' | 'tooDeep', string>> = {
  notStorable: 'must not contain NUL characters or unpaired surrogates',
  tooDeep: `must not be nested deeper than ${MAX_DEPTH} levels`,
}

/** Whether Postgres can store the text. It can store neither NUL characters nor unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** A JSON object, such as user metadata. */
export const jsonObjectShape: z.ZodType<JsonObject> = z
  .custom<JsonObject>(isJsonObject, { error: 'must be a JSON object' })
  .meta({ type: 'object' })

/** 1 MB. */
const MAX_BODY_BYTES = 1_048_576

/** Problems by the name of the invalid member. The name `body` means the whole body. */
export type BodyProblems = Readonly<Record<string, string>>

export interface BodyRefusals {
  unreadable(code: 'payload_too_large' | 'invalid_json', message: string): Error
  invalid(problems: BodyProblems): Error
  /** Additional check of every body, independent of its schema. */
  problemsOf(body: JsonObject): BodyProblems | undefined
}

/** Reads bodies and parameters. All methods throw the API's own errors. */
export interface RequestReader {
  /** Decodes a required body. */
  decodeBody<Shape extends z.ZodType>(request: Request, shape: Shape): Promise<z.output<Shape>>
  /** Works as `decodeBody`, but decodes an empty body as `{}`. */
  decodeOptionalBody<Shape extends z.ZodType>(
    request: Request,
    shape: Shape,
  ): Promise<z.output<Shape>>
  /** Decodes the query parameters. Refuses repeated ones. */
  decodeQuery<Shape extends z.ZodObject>(url: string, shape: Shape): z.output<Shape>
  /** Decodes a form of the emulator's own pages (application/x-www-form-urlencoded). */
  decodeForm<Shape extends z.ZodObject>(request: Request, shape: Shape): Promise<z.output<Shape>>
}

export function createRequestReader(refusals: BodyRefusals): RequestReader {
  async function readText(request: Request): Promise<string> {
    const body = await readRequestText(request, MAX_BODY_BYTES)
    switch (body.kind) {
      case 'text':
        return body.text
      case 'tooLarge':
        throw refusals.unreadable(
          'payload_too_large',
          `The body is larger than ${MAX_BODY_BYTES} bytes, the most this API reads.`,
        )
      case 'notUtf8':
        throw refusals.unreadable('invalid_json', 'The body is not UTF-8 text.')
      default:
        return body satisfies never
    }
  }

  function decodeText<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
    const value = parseJson(text)
    if (value === undefined)
      throw refusals.unreadable('invalid_json', 'The body is not well-formed JSON.')
    if (!isJsonObject(value)) throw refusals.invalid({ body: 'must be a JSON object' })
    return decode(value, shape)
  }

  function decode<Shape extends z.ZodType>(value: JsonObject, shape: Shape): z.output<Shape> {
    const problems = refusals.problemsOf(value)
    if (problems !== undefined) throw refusals.invalid(problems)
    const decoded = shape.safeParse(value)
    if (decoded.success) return decoded.data
    const details: Record<string, string> = {}
    for (const issue of decoded.error.issues)
      details[issue.path.join('.') || 'body'] ??= issue.message
    throw refusals.invalid(details)
  }

  function decodeParameters<Shape extends z.ZodObject>(
    parameters: URLSearchParams,
    shape: Shape,
  ): z.output<Shape> {
    const values: Record<string, string> = {}
    for (const name of Object.keys(shape.shape)) {
      const [value, another] = parameters.getAll(name)
      if (another !== undefined) throw refusals.invalid({ [name]: 'must be given once' })
      if (value !== undefined) values[name] = value
    }
    return decode(values, shape)
  }

  return {
    decodeBody: async (request, shape) => decodeText(await readText(request), shape),
    decodeOptionalBody: async (request, shape) => {
      const text = await readText(request)
      return decodeText(text.trim() === '' ? '{}' : text, shape)
    },
    decodeQuery: (url, shape) => decodeParameters(new URL(url).searchParams, shape),
    decodeForm: async (request, shape) =>
      decodeParameters(new URLSearchParams(await readText(request)), shape),
  }
}
