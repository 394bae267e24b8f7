// The addresses of the platform's planes, at a target and at the recording proxy. Pure.
import type { Addresses } from '../../core/request-env.ts'
import { addressesOf, routeOf } from '../../server/hosts.ts'
import { PLANES, type Plane } from './har/har.ts'

/** Address of each plane without a slash at the end. Realtime has the scheme `http` or `https`. */
export type PlaneBases = Readonly<Record<Plane, string>>

/** Where to send a request: the plane, and the path below the plane's base address. */
export interface Destination {
  readonly plane: Plane
  readonly path: string
}

/** Returns the base addresses of a platform, derived from its auth address. `given` replaces derived addresses. */
export function basesOf(authUrl: string, given: Partial<PlaneBases> = {}): PlaneBases {
  return { ...basesIn(addressesOf(authUrl)), ...mapped(given) }
}

/** Returns the base addresses that a caller of these addresses uses. */
export function basesIn(addresses: Addresses): PlaneBases {
  return {
    auth: baseOf(addresses.authUrl),
    data: baseOf(addresses.dataUrl),
    storage: baseOf(addresses.storageUrl),
    realtime: baseOf(addresses.realtimeUrl),
  }
}

/** Finds the plane of a request to an address that serves all planes, as the emulator does. */
export function destinationOf(host: string, target: string): Destination {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  const route = routeOf(host, path)
  if (route.kind === 'elsewhere') return { plane: 'data', path: target }
  if (route.kind === 'nothing')
    return { plane: /^api\./i.test(host) ? 'data' : 'auth', path: target }
  switch (route.mount) {
    case 'storage':
      return { plane: 'storage', path: target.replace(/^\/storage\/v1(?=[/?#]|$)/, '') }
    case 'realtime':
      return { plane: 'realtime', path: target.replace(/^\/(realtime\/v1|socket)(?=[/?#]|$)/, '') }
    case 'data':
      return { plane: 'data', path: target }
    case 'auth':
    case 'control':
    case 'emulator':
    case 'realtimeToken':
    case 'storageToken':
    case 'wellKnown':
      return { plane: 'auth', path: target }
    default:
      return route.mount satisfies never
  }
}

/**
 * When `url` begins with the address of a plane in `from`, replaces this address by the plane's address in `to`. Keeps the
 * scheme of sockets. Tries longer addresses first, because planes can share an origin.
 */
export function movedUrl(url: string, from: PlaneBases, to: PlaneBases): string {
  const planes = (Object.keys(from) as Plane[]).sort((a, b) => from[b].length - from[a].length)
  const isSocket = /^wss?:/.test(url)
  const plain = isSocket ? url.replace(/^ws/, 'http') : url
  for (const plane of planes) {
    const rest = plain.slice(from[plane].length)
    if (plain.startsWith(from[plane]) && /^([/?#]|$)/.test(rest))
      return isSocket ? socketUrl(to[plane]) + rest : to[plane] + rest
  }
  return url
}

/** Replaces the addresses of planes inside a text. Also replaces a text that is only the host of a plane. */
export function movedText(text: string, from: PlaneBases, to: PlaneBases): string {
  for (const plane of PLANES) if (text === hostOf(from[plane])) return hostOf(to[plane])
  return text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>\\]+/g, (url) => movedUrl(url, from, to))
}

export function socketUrl(base: string): string {
  return base.replace(/^http/, 'ws')
}

function mapped(given: Partial<PlaneBases>): Partial<PlaneBases> {
  return Object.fromEntries(Object.entries(given).map(([plane, url]) => [plane, baseOf(url)]))
}

function baseOf(url: string): string {
  return url.replace(/^ws/, 'http').replace(/\/+$/, '')
}

function hostOf(base: string): string {
  return new URL(base).host
}
