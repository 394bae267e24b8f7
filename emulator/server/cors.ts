// Cross-origin rules of the platform: every service answers preflights for any origin and exposes the headers that
// client libraries read (contract.md §1). The emulator's own API is not part of this. Pure.

const EXPOSED = [
  'Content-Range',
  'Content-Location',
  'Content-Profile',
  'Content-Length',
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
export function isPreflight(method: string, headers: Headers): boolean {
  return (
    method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
  )
}

/** Answers a preflight: what was asked for is allowed. */
export function preflightHeaders(headers: Headers): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers':
      headers.get('access-control-request-headers') ?? 'authorization, apikey, content-type',
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
}

/** Lets any page read the answer. */
export function allowReading(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
}
