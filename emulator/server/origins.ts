// Which web pages may use the management plane: the inspector's own, and those that `--allow-origin` names. Programs send
// no Origin header and are not concerned. Pure.
import { isLoopbackHost } from '../core/loopback.ts'
import { addressesOf } from './hosts.ts'

export interface OriginRules {
  /** As browsers send them in the header Origin. */
  readonly allowed: readonly string[]
  readonly publicUrl: string | undefined
  /**
   * Takes any Host header for our own name. Only where an admin token guards the developer's account: a page whose name
   * leads to this machine (DNS rebinding) sends its own name as Host and as Origin.
   */
  readonly trustsHost: boolean
}

/** Tells whether a page of `origin` may use the management plane of the address `url`. */
export type AdmitsOrigin = (origin: string, url: URL) => boolean

export function createOriginRule({ allowed, publicUrl, trustsHost }: OriginRules): AdmitsOrigin {
  const known = new Set(allowed)
  if (publicUrl !== undefined)
    known.add(new URL(publicUrl).origin).add(addressesOf(publicUrl).authUrl)
  return (origin, url) =>
    known.has(origin) || (origin === url.origin && (trustsHost || isLoopbackHost(url.hostname)))
}
