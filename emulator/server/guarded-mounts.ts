// Which mounts are guarded against other pages and other machines, and what the edge asks of their requests. Pure.
import { isLoopbackAddress } from '../core/loopback.ts'
import type { Wire } from '../core/request-recording.ts'
import type { MountName, Route } from './hosts.ts'
import type { AdmitsOrigin } from './origins.ts'

/** The emulator's own API, which refuses foreign pages itself. */
export function isOwnApiAt(route: Route): boolean {
  return isAt(route, 'emulator')
}

/** What the developer owns: here it matters which page and which machine asks. */
export function isGuardedAt(route: Route): boolean {
  return isAt(route, 'emulator') || isAt(route, 'control')
}

export function isAt(route: Route, mount: MountName): boolean {
  return route.kind === 'mount' && route.mount === mount
}

/** Whether the other end of the connection is another machine. */
export function isRemote(wire: Wire | undefined): boolean {
  const address = wire?.incoming.socket?.remoteAddress
  return address !== undefined && !isLoopbackAddress(address)
}

/** The value of `Access-Control-Allow-Origin`; `undefined` when no other origin may read the answer. */
export function allowOriginOf(
  admitsOrigin: AdmitsOrigin,
  route: Route,
  { headers }: Request,
  url: URL,
): string | undefined {
  if (!isGuardedAt(route)) return '*'
  const origin = headers.get('origin')
  if (isOwnApiAt(route) || origin === null) return undefined
  return admitsOrigin(origin, url) ? origin : undefined
}
