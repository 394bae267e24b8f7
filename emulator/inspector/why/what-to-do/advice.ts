// The shape of the catalogue's entries.
import type { ChainLink } from '../../../contract/explain.ts'

/** What a refusal's code means and what to do about it. */
export interface Advice {
  /** The link of the chain that such a refusal breaks, unless the request's circumstances say otherwise. */
  readonly link: ChainLink['link']
  readonly cause: string
  readonly todo: string
}

export function advice(link: Advice['link'], cause: string, todo: string): Advice {
  return { link, cause, todo }
}
