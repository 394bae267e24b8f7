// What web pages may do (Fetch standard, CORS protocol). Data, auth, storage and realtime answer any page, as on the hosted
// platform, and expose the headers that client libraries read. The management plane answers the inspector's own pages and those
// of `--allow-origin`. The emulator's own API allows no other origin. Programs send no Origin header and are always admitted.
// Pure.
import type { HeaderReader, HeaderWriter } from '../core/headers.ts'
import { isLoopbackAddress, isLoopbackHost } from '../core/loopback.ts'
import type { PlainRequest, Wire } from '../core/plain-http.ts'
import { addressesOf, type MountName, type Route } from './hosts.ts'

export interface OriginRules {
  /** Allowed origins, in the format of the header Origin. */
  readonly allowed: readonly string[]
  readonly publicUrl: string | undefined
  /**
   * Accepts any Host header as the emulator's own name. This is safe only with an admin token, which guards the developer's
   * account. With DNS rebinding, a foreign page sends its own name as Host and as Origin.
   */
  readonly trustsHost: boolean
}

/** Whether a page of `origin` may use the management plane of the address `url`. */
export type AdmitsOrigin = (origin: string, url: URL) => boolean

export function createOriginRule({ allowed, publicUrl, trustsHost }: OriginRules): AdmitsOrigin {
  const known = new Set(allowed)
  if (publicUrl !== undefined)
    known.add(new URL(publicUrl).origin).add(addressesOf(publicUrl).authUrl)
  return (origin, url) =>
    known.has(origin) || (origin === url.origin && (trustsHost || isLoopbackHost(url.hostname)))
}

/** The mount of the emulator's own API, which refuses foreign pages itself. */
export function isOwnApiAt(route: Route): boolean {
  return isAt(route, 'emulator')
}

/**
 * Mounts that check from which page and which machine a request comes. These mounts give access to everything that the developer
 * owns.
 */
export function isGuardedAt(route: Route): boolean {
  return isAt(route, 'emulator') || isAt(route, 'control')
}

export function isAt(route: Route, mount: MountName): boolean {
  return route.kind === 'mount' && route.mount === mount
}

/** Whether the client is on another machine. */
export function isRemote(wire: Wire | undefined): boolean {
  const address = wire?.incoming.socket?.remoteAddress
  return address !== undefined && !isLoopbackAddress(address)
}

/** The value of `Access-Control-Allow-Origin`; `undefined` when no other origin may read the answer. */
export function allowOriginOf(
  admitsOrigin: AdmitsOrigin,
  route: Route,
  { headers, origin: ownOrigin }: PlainRequest,
): string | undefined {
  if (!isGuardedAt(route)) return '*'
  const origin = headers.get('origin')
  if (isOwnApiAt(route) || origin === null) return undefined
  return admitsOrigin(origin, new URL(ownOrigin)) ? origin : undefined
}

/**
 * Whether a browser requests the script of a service worker. Browsers mark these requests with a header (Service Workers
 * §6.1.1).
 */
export function isServiceWorker(headers: HeaderReader): boolean {
  return headers.has('service-worker')
}

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

/** Whether an OPTIONS request is a CORS preflight request, and does not ask for the resource's own options (Fetch §3.3.2). */
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
