// Reads the body of an upload: raw bytes, or a multipart form with fields before the file (docs/wire/storage.md#upload). The
// object's bytes are streamed and never held in memory.
import { Readable } from 'node:stream'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { requireMediaType } from '../buckets/bucket-limits.ts'
import { StorageError } from '../errors.ts'
import { type ReceivedForm, readForm } from './multipart-form.ts'
import { bytesOf } from './request-bytes.ts'

export interface UploadBody {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Media type as sent, with its parameters. */
  readonly mimeType: string
  readonly cacheControl: string
  readonly userMetadata: JsonObject | undefined
  /** The request's header X-Robots-Tag, which downloads will repeat. */
  readonly robotsTag: string | undefined
  /** Size that the client announces, in bytes. `undefined` for multipart and chunked bodies. */
  readonly declaredBytes: number | undefined
  /**
   * Whether nothing else uses the pieces of `bytes`. False for forms, because their parser returns parts of the pieces, and
   * without a socket, because the caller may use the pieces again.
   */
  readonly ownsPieces: boolean
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const DEFAULT_CACHE_CONTROL = 'no-cache'
/** Maximum number of fields in an upload form (docs/wire/storage.md#upload). */
const MAX_FIELDS = 10

/**
 * Reads the body up to the first byte of the object, then passes the rest to `use`. Discards bytes that `use` leaves unread.
 * @throws {StorageError} `invalidMimeType`, `invalidRobotsTag`, `invalidRequest`, `tooLarge`, `clientGone`; what `use` throws
 */
export async function withUploadBody<Result>(
  request: Request,
  env: RequestEnv,
  use: (body: UploadBody) => Promise<Result>,
): Promise<Result> {
  const body = await readUploadBody(request, env)
  try {
    return await use(body)
  } finally {
    if (body.bytes instanceof Readable) body.bytes.destroy()
  }
}

async function readUploadBody(request: Request, env: RequestEnv): Promise<UploadBody> {
  const contentType = requireMediaType(request.headers.get('content-type') ?? DEFAULT_TYPE)
  const robots = request.headers.get('x-robots-tag')
  const robotsTag = robots === null ? undefined : requireRobotsTag(robots)
  const isForm = contentType.toLowerCase().startsWith('multipart/form-data')
  const body = isForm
    ? await readMultipart(bytesOf(request, env), contentType)
    : readRaw(request.headers, bytesOf(request, env), contentType)
  return { ...body, robotsTag, ownsPieces: !isForm && env.socketBody !== undefined }
}

type FoundBody = Omit<UploadBody, 'robotsTag' | 'ownsPieces'>

function readRaw(headers: Headers, bytes: AsyncIterable<Uint8Array>, mimeType: string): FoundBody {
  const length = headers.get('content-length')
  const metadata = headers.get('x-metadata')
  return {
    bytes,
    mimeType,
    cacheControl: headers.get('cache-control') ?? DEFAULT_CACHE_CONTROL,
    userMetadata:
      metadata === null ? undefined : parseMetadata(Buffer.from(metadata, 'base64').toString()),
    declaredBytes: length === null ? undefined : Number(length),
  }
}

/** fact: upstream ignores metadata that is not a JSON object. */
export function parseMetadata(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<FoundBody> {
  const form = await readForm(body, contentType, MAX_FIELDS)
  try {
    return uploadOf(form)
  } catch (error) {
    form.file.destroy()
    throw error
  }
}

function uploadOf({ fields, file, fileType }: ReceivedForm): FoundBody {
  const cacheControl = fields.get('cacheControl')
  const metadata = fields.get('metadata') ?? fields.get('userMetadata')
  return {
    bytes: file,
    mimeType: requireMediaType(fields.get('contentType') ?? fileType),
    cacheControl: cacheControl === undefined ? DEFAULT_CACHE_CONTROL : `max-age=${cacheControl}`,
    userMetadata: metadata === undefined ? undefined : parseMetadata(metadata),
    declaredBytes: undefined,
  }
}

const WORDS =
  /^(all|none|noindex|nofollow|noarchive|nocache|nosnippet|notranslate|noimageindex|indexifembedded|noai|noimageai)$/i
const SETTINGS =
  /^(max-snippet|max-video-preview) *: *-?\d+$|^max-image-preview *: *(none|standard|large)$/i
const END_DATE = /^unavailable_after *: *[\w :+./-]+$/i
const DATE_REST = /^[\w :+./-]+$/
/** The name before a rule for a single robot, e.g. `googlebot: noindex`. */
const ADDRESSEE = /^[\w-]+ *: */

/** @throws {StorageError} `invalidRobotsTag` */
export function requireRobotsTag(text: string): string {
  let isWithinDate = false
  for (const rule of text.split(',').map((part) => part.trim())) {
    // A date may contain one comma, after the day of the week. The part after that comma is not a rule of its own.
    if (isWithinDate && !isRule(rule) && DATE_REST.test(rule)) isWithinDate = false
    else if (isRule(rule))
      isWithinDate = END_DATE.test(rule.replace(ADDRESSEE, '')) || END_DATE.test(rule)
    else
      throw new StorageError(
        'invalidRobotsTag',
        `Invalid X-Robots-Tag header: '${rule}' is not a rule for robots, such as noindex or max-snippet:20`,
      )
  }
  return text
}

function isRule(text: string): boolean {
  return isBareRule(text) || isBareRule(text.replace(ADDRESSEE, ''))
}

function isBareRule(text: string): boolean {
  return WORDS.test(text) || SETTINGS.test(text) || END_DATE.test(text)
}
