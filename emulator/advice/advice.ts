// The shape of the catalogue's entries.

import type { ChainLink } from '../contract/explain.ts'
import type { DiskFailureCode } from '../core/disk-failure.ts'

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

/** What any service answers when the disk takes no bytes. */
export const DISK_ADVICE: Readonly<Record<DiskFailureCode, Advice>> = {
  disk_full: advice(
    'fault',
    'The disk of the data directory is full; nothing was stored.',
    'Free space and repeat the request.',
  ),
  disk_failed: advice(
    'fault',
    'The data directory cannot be written; nothing was stored.',
    'Check the disk and its permissions, then repeat the request.',
  ),
}
