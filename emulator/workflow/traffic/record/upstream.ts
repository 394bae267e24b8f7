// Decides where the proxy sends each request, and replaces addresses. In `Host`, the target's own address replaces the proxy's.
// In `Location` and in the `url` of token answers, the proxy's address replaces the target's. Otherwise clients of storage and
// realtime would connect to the target directly. Nothing else changes.
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { addressesOf } from '../../../server/hosts.ts'
import type { Plane } from '../har/har.ts'
import { basesIn, destinationOf, movedUrl, type PlaneBases, socketUrl } from '../planes.ts'

/** The address at the target that a request is sent to. */
export interface Upstream {
  readonly plane: Plane
  readonly base: string
  /** Path and query, exactly as the proxy sends them. */
  readonly path: string
  readonly origin: URL
}

export interface UpstreamBook {
  find(host: string, target: string): Upstream
  /** Returns the value of a `Location` header for a caller that uses the address `host`. */
  localLocation(host: string, location: string): string
  /**
   * Returns the body of a token answer with the proxy's address in `url`. Later requests of that plane go to the address that
   * the target named. Returns `undefined` when nothing changes.
   */
  localTokenAnswer(host: string, target: string, body: string): string | undefined
}

const TOKEN_PLANES: Readonly<Record<string, Plane>> = {
  '/st/v1/token': 'storage',
  '/rt/v1/token': 'realtime',
}

const WEB_ADDRESS = /^(?:https?|wss?):\/\//

/** Returns whether the answer to this request contains the address of a plane. */
export function isTokenRequest(method: string | undefined, target: string): boolean {
  return method === 'POST' && TOKEN_PLANES[pathOf(target)] !== undefined
}

/** @param given planes whose address the user gave. Answers of the target do not change these addresses. */
export function createUpstreamBook(first: PlaneBases, given: ReadonlySet<Plane>): UpstreamBook {
  let bases = first
  return {
    find: (host, target) => {
      const { path, plane } = destinationOf(host, target)
      const origin = new URL(bases[plane])
      const prefix = origin.pathname.replace(/\/$/, '')
      return { plane, base: origin.origin + prefix, origin, path: prefix + path }
    },
    localLocation: (host, location) => movedUrl(location, bases, localBases(host)),
    localTokenAnswer: (host, target, body) => {
      const plane = TOKEN_PLANES[pathOf(target)]
      const answer = parseJson(body)
      if (plane === undefined || !isJsonObject(answer)) return undefined
      const { url } = answer
      if (typeof url !== 'string' || !WEB_ADDRESS.test(url) || !URL.canParse(url)) return undefined
      if (!given.has(plane))
        bases = { ...bases, [plane]: url.replace(/^ws/, 'http').replace(/\/+$/, '') }
      const local = localBases(host)[plane]
      const shown = /^wss?:/.test(url) ? socketUrl(local) : local
      return body.replace(JSON.stringify(url), JSON.stringify(shown))
    },
  }
}

function localBases(host: string): PlaneBases {
  return basesIn(addressesOf(`http://${host}`))
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target
}
