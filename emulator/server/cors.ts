// Cross-origin rules (Fetch standard, CORS protocol). Data, auth, storage and realtime answer any page, as on the hosted
// platform, and expose the headers that client libraries read. The management plane answers the pages that origins.ts
// admits; the emulator's own API allows no other origin. Pure.
import type { HeaderReader, HeaderWriter } from '../core/headers.ts'

const EXPOSED = [
  'Content-Range',
  'Content-Location',
  'Content-Profile',
  'Content-Length',
  'Date',
  'Location',
  'ETag',
  'Preference-Applied',
  'Proxy-Status',
  'Server-Timing',
  'Retry-After',
  'X-Request-Id',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const PREFLIGHT_SECONDS = '86400'

/** Whether an OPTIONS request asks for permission rather than for the resource's own options (Fetch §3.3.2). */
export function isPreflight(method: string, headers: HeaderReader): boolean {
  return (
    method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
  )
}

/**
 * Returns the headers of the answer to a preflight request. The headers allow everything that the preflight requests.
 * @param allowOrigin `*`, or the one allowed origin
 */
export function preflightHeaders(
  headers: HeaderReader,
  allowOrigin: string,
): Record<string, string> {
  return {
    'access-control-allow-origin': allowOrigin,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers':
      headers.get('access-control-request-headers') ?? 'authorization, apikey, content-type',
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
}

/** Lets pages of other origins read the response. @param allowOrigin `*`, or the one allowed origin */
export function allowReading(headers: HeaderWriter, allowOrigin: string): void {
  headers.set('access-control-allow-origin', allowOrigin)
  headers.set('access-control-expose-headers', EXPOSED)
  // A cache must not give one origin's answer to another origin.
  if (allowOrigin !== '*') headers.append('vary', 'Origin')
}
