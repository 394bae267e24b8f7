// Serves the inspector's pages below /_emulator/, from the files that `npm run build` writes into dist/ui. Every path that is
// not a file gets the inspector's page, which shows the screen of that path. The files contain no secrets, so they need no
// admin token.
import { join } from 'node:path'
import type { Addresses, RequestEnv } from '../../core/request-env.ts'
import { admitToEmulatorApi } from '../../insight/api-kit/guard.ts'
import {
  A_YEAR,
  etagOf,
  found,
  isKnown,
  mediaTypeOf,
  plain,
  readEncoded,
  unchanged,
} from './static-files.ts'

const BASE = '/_emulator/'
const ASSETS = `${BASE}assets/`
/** Matches the names of the bundler's files. The pattern also prevents a path from leaving the folder. */
const ASSET_NAME = /^[\w-][\w.-]*$/
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
  const type = mediaTypeOf(name)
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
  const etag = etagOf(file)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
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
