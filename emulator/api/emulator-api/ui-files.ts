// Serves the inspector's pages below /_emulator/, from the files that `npm run build` writes into dist/ui. Every path that is
// not a file gets the inspector's page, which shows the screen of that path. The files contain no secrets, so they need no
// admin token.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Addresses, RequestEnv } from '../../core/request-env.ts'
import { admitToEmulatorApi } from '../../insight/api-kit/guard.ts'

const BASE = '/_emulator/'
const ASSETS = `${BASE}assets/`
/** Matches the names of the bundler's files. The pattern also prevents a path from leaving the folder. */
const ASSET_NAME = /^[\w-][\w.-]*$/
const A_YEAR = 'public, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const NOT_BUILT = `The inspector’s pages are not built.

Run "npm run build" in Tenantry’s folder and load this page again.
The emulator itself works without them; its own API is below /_emulator/v1.
`

/** Whether the path belongs to the inspector's pages. Other paths belong to the emulator's own API. */
export function isUiPath(path: string): boolean {
  return path !== '/_emulator/v1' && !path.startsWith('/_emulator/v1/')
}

/**
 * Answers GET and HEAD below /_emulator. `folder` is the built dist/ui.
 * @throws {GuardError} for a foreign host or another site's page, when no admin token is set
 */
export async function serveUiFile(
  request: Request,
  env: Pick<RequestEnv, 'addresses' | 'isRemote'>,
  folder: string,
  adminToken: string | undefined,
): Promise<Response> {
  if (adminToken === undefined) admitToEmulatorApi(request, env, undefined)
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'Only GET and HEAD are allowed.\n', { allow: 'GET, HEAD' })
  if (pathname === '/_emulator')
    return new Response(null, { status: 308, headers: { location: `${BASE}${search}` } })
  const answer = pathname.startsWith(ASSETS)
    ? await serveAsset(request, folder, pathname.slice(ASSETS.length))
    : await servePage(request, folder, env.addresses)
  return request.method === 'HEAD' ? new Response(null, answer) : answer
}

async function serveAsset(request: Request, folder: string, name: string): Promise<Response> {
  const type = TYPES[extname(name)]
  if (!ASSET_NAME.test(name) || type === undefined) return plain(404, 'There is no such file.\n')
  // The file name contains a hash of the content, so it also serves as the ETag.
  const etag = `"${name}"`
  const headers = {
    'content-type': type,
    'cache-control': A_YEAR,
    'cross-origin-resource-policy': 'same-origin',
    etag,
  }
  const file = await readEncoded(request, join(folder, 'assets', name))
  if (file === undefined) return plain(404, 'There is no such file.\n')
  if (isKnown(request, etag)) return unchanged(headers)
  return found(file, headers)
}

async function servePage(
  request: Request,
  folder: string,
  addresses: Addresses,
): Promise<Response> {
  const file = await readEncoded(request, join(folder, 'index.html'))
  if (file === undefined) return plain(503, NOT_BUILT)
  const etag = `"${createHash('sha256').update(file.content).digest('base64url').slice(0, 22)}"`
  const headers = {
    'content-type': TYPES['.html'] ?? '',
    'cache-control': 'no-cache',
    'content-security-policy': securityPolicy(addresses),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    etag,
  }
  return isKnown(request, etag) ? unchanged(headers) : found(file, headers)
}

/** The policy allows only the inspector's own scripts. Requests may go only to the emulator's addresses for this caller. */
function securityPolicy({ authUrl, dataUrl, storageUrl, realtimeUrl }: Addresses): string {
  const [auth, data, storage] = [authUrl, dataUrl, storageUrl].map((url) => new URL(url).origin)
  const realtime = new URL(realtimeUrl)
  const sockets = `${realtime.protocol}//${realtime.host}`
  const hosts = [...new Set([auth, data, storage, sockets])].join(' ')
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob: ${storage}`,
    `media-src 'self' blob: ${storage}`,
    `connect-src 'self' ${hosts}`,
    `font-src 'self'`,
    `frame-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

interface EncodedFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly encoding: string | undefined
}

/** Reads the file in the best encoding that the caller accepts; `undefined` when the file does not exist. */
async function readEncoded(request: Request, path: string): Promise<EncodedFile | undefined> {
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

function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function found({ content, encoding }: EncodedFile, headers: Record<string, string>): Response {
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

function unchanged(headers: Record<string, string>): Response {
  const { 'content-type': _, ...kept } = headers
  return new Response(null, { status: 304, headers: { ...kept, ...ALWAYS } })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
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
