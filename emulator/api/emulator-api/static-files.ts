// Answers with files of a folder of dist: compressed forms, ETags and media types. The inspector's pages and the documentation
// site share it.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** `Cache-Control` of a file whose name contains a hash of its content. */
export const A_YEAR = 'public, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The media type of a file by its name; `undefined` for files that are not served. */
export function mediaTypeOf(name: string): string | undefined {
  return TYPES[extname(name)]
}

/** An ETag that changes with the content. */
export function etagOf({ content }: EncodedFile): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

export interface EncodedFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly encoding: string | undefined
}

/** Reads the file in the best encoding that the caller accepts; `undefined` when the file does not exist. */
export async function readEncoded(
  request: Request,
  path: string,
): Promise<EncodedFile | undefined> {
  const accepted = acceptedEncodings(request.headers)
  for (const [encoding, suffix] of ENCODINGS) {
    if (!accepted.has(encoding)) continue
    const content = await read(path + suffix)
    if (content !== undefined) return { content, encoding }
  }
  const content = await read(path)
  return content && { content, encoding: undefined }
}

function acceptedEncodings(headers: Headers): ReadonlySet<string> {
  const offers = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return new Set(
    offers.flatMap((offer) => {
      const [name = '', ...parameters] = offer.split(';').map((part) => part.trim())
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : name
    }),
  )
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether the caller already has the version with this ETag. */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** 200 with the file. */
export function found(
  { content, encoding }: EncodedFile,
  headers: Record<string, string>,
): Response {
  return new Response(content, {
    headers: {
      ...headers,
      ...ALWAYS,
      'content-length': String(content.byteLength),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  })
}

const ALWAYS = { 'x-content-type-options': 'nosniff', vary: 'accept-encoding' }

/** 304 for a version that the caller already has. */
export function unchanged(headers: Record<string, string>): Response {
  const { 'content-type': _, ...kept } = headers
  return new Response(null, { status: 304, headers: { ...kept, ...ALWAYS } })
}

/** An answer of one or more sentences, which no cache keeps. */
export function plain(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}
