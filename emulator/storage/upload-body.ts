// The two forms in which an upload comes: a raw body, or multipart with its fields before the file (storage-contract §4,
// "Upload bodies"). Neither is ever held in memory.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts'
import type { RequestEnv } from '../core/request-env.ts'
import { refuse } from './errors.ts'
import { requireMediaType } from './mime-type.ts'
import { bytesOf } from './request-bytes.ts'
import { requireRobotsTag } from './robots-tag.ts'

export interface UploadBody {
  readonly bytes: AsyncIterable<Uint8Array>
  /** As sent, parameters included. */
  readonly mimeType: string
  readonly cacheControl: string
  readonly userMetadata: JsonObject | undefined
  /** X-Robots-Tag of the request, for downloads. */
  readonly robotsTag: string | undefined
  /** Bytes the sender says will come; unknown for multipart and chunked bodies. */
  readonly declaredBytes: number | undefined
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const DEFAULT_CACHE_CONTROL = 'no-cache'
/** storage-contract §2. */
const MAX_FIELDS = 10
const MAX_METADATA_BYTES = 1_048_576

/**
 * Reads up to where the object's bytes begin, gives them to `use` and lets go of what it leaves.
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
  const body = contentType.toLowerCase().startsWith('multipart/form-data')
    ? await readMultipart(bytesOf(request, env), contentType)
    : readRaw(request.headers, bytesOf(request, env), contentType)
  return { ...body, robotsTag }
}

type FoundBody = Omit<UploadBody, 'robotsTag'>

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

/** fact: metadata that is no JSON object is ignored. */
export function parseMetadata(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

function readMultipart(body: AsyncIterable<Uint8Array>, contentType: string): Promise<FoundBody> {
  const fields = new Map<string, string>()
  const parser = openParser(contentType)
  const leaving = new AbortController()
  let file: Readable | undefined
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error)
      leaving.abort()
      if (error instanceof Error) file?.destroy(error)
    }
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) fail(refuse.tooLarge())
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => fail(refuse.request('The multipart body has too many fields')))
    parser.on('file', (_name, stream, _filename, _encoding, partType) => {
      file = stream
      stream.on('error', () => fail(refuse.request('The multipart body ends within the file')))
      stream.on('close', () => {
        if (!stream.readableEnded) leaving.abort()
      })
      try {
        resolve(uploadOf(fields, stream, partType))
      } catch (error) {
        fail(error)
      }
    })
    parser.on('error', () => fail(refuse.request('The multipart body is not well-formed')))
    parser.on('finish', () => reject(refuse.request('The multipart body has no file')))
    pump(body, parser, leaving.signal).catch(fail)
  })
}

// Leaves the rest of a body nobody wants to the connection, which is stuck while somebody holds it.
async function pump(
  body: AsyncIterable<Uint8Array>,
  parser: BusboyInstance,
  leaving: AbortSignal,
): Promise<void> {
  for await (const piece of body) {
    if (leaving.aborted) return
    if (!parser.write(piece)) await once(parser, 'drain', { signal: leaving })
  }
  parser.end()
}

function openParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: MAX_FIELDS, fieldSize: MAX_METADATA_BYTES },
    })
  } catch (cause) {
    throw refuse.request(`The multipart body cannot be read: ${String(cause)}`)
  }
}

function uploadOf(
  fields: ReadonlyMap<string, string>,
  stream: Readable,
  partType: string,
): FoundBody {
  const cacheControl = fields.get('cacheControl')
  const metadata = fields.get('metadata') ?? fields.get('userMetadata')
  return {
    bytes: stream,
    mimeType: requireMediaType(fields.get('contentType') ?? partType),
    cacheControl: cacheControl === undefined ? DEFAULT_CACHE_CONTROL : `max-age=${cacheControl}`,
    userMetadata: metadata === undefined ? undefined : parseMetadata(metadata),
    declaredBytes: undefined,
  }
}
