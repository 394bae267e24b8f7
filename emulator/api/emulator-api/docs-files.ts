// Serves the documentation site below /_emulator/docs/, from the files that `npm run docs:site` writes into dist/docs-site. It
// reads a file only when a caller requests it. The files contain no secrets, so they need no admin token.
import { join } from 'node:path'
import type { RequestEnv } from '../../core/request-env.ts'
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

const PLACE = '/_emulator/docs'
const BASE = `${PLACE}/`
/** Matches the path of a file of the site. No name may begin with a dot, so that no path leaves the folder. */
const FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w@-][\w.@-]*$/

const NOT_BUILT = `The documentation site is not built.

Run "npm run docs:site" in Tenantry’s folder and load this page again.
The same pages are Markdown files in Tenantry’s folders "docs" and "docs/guide".
`

/** The site has no forms and shows nothing of the platform, so its pages may load only their own files. */
const SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `font-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** Whether the path belongs to the documentation site. */
export function isDocsPath(path: string): boolean {
  return path === PLACE || path.startsWith(BASE)
}

/**
 * Answers GET and HEAD below /_emulator/docs. `folder` is the built dist/docs-site.
 * @throws {GuardError} for a foreign host or another site's page, when no admin token is set
 */
export async function serveDocsFile(
  request: Request,
  env: Pick<RequestEnv, 'isRemote'>,
  folder: string,
  adminToken: string | undefined,
): Promise<Response> {
  if (adminToken === undefined) admitToEmulatorApi(request, env, undefined)
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'Only GET and HEAD are allowed.\n', { allow: 'GET, HEAD' })
  if (pathname === PLACE) return new Response(null, { status: 308, headers: { location: BASE } })
  const answer = await serveFile(request, folder, pathname.slice(BASE.length))
  return request.method === 'HEAD' ? new Response(null, answer) : answer
}

async function serveFile(request: Request, folder: string, path: string): Promise<Response> {
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const type = mediaTypeOf(name)
  const file =
    FILE_PATH.test(name) && type !== undefined
      ? await readEncoded(request, join(folder, name))
      : undefined
  if (file === undefined || type === undefined) return missing(request, folder)
  const etag = etagOf(file)
  const headers = {
    'content-type': type,
    'cache-control': name.startsWith('assets/') ? A_YEAR : 'no-cache',
    'content-security-policy': SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    etag,
  }
  return isKnown(request, etag) ? unchanged(headers) : found(file, headers)
}

async function missing(request: Request, folder: string): Promise<Response> {
  const isBuilt = (await readEncoded(request, join(folder, 'index.html'))) !== undefined
  return isBuilt
    ? plain(404, `There is no such page. The documentation begins at ${BASE}\n`)
    : plain(503, NOT_BUILT)
}
