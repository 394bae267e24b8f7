// Decides which web pages may use the management plane: the inspector's own pages, and those of `--allow-origin`. Programs send
// no Origin header and are always admitted. Pure.
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

/** Mounts that check the page and the machine of a request, because they give access to everything that the developer owns. */
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
