// The links of a request's chain as they are shown, and the first broken one. Pure.
import type { AccessChain, ChainLink } from '../../../emulator/contract/explain.ts'

export interface ShownLink {
  readonly link: ChainLink['link']
  readonly state: ChainLink['state']
  readonly title: string
  readonly sentence: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** The first broken link: why the request was refused. */
  readonly isCulprit: boolean
  /** The request got this far. */
  readonly isReached: boolean
}

/** Shown beside the shape, so that colour is never the only sign. */
export const LINK_WORDS: Readonly<Record<ChainLink['state'], string>> = {
  holds: 'holds',
  broken: 'breaks here',
  unknown: 'not reached',
  not_needed: 'not needed',
}

export const LINK_NAMES: Readonly<Record<ChainLink['link'], string>> = {
  credential: 'Credential',
  group: 'Group',
  resource: 'Resource',
  project: 'Project',
  role: 'Role',
  claims: 'Claims',
  grant: 'Grant',
  policy: 'Policy',
  row: 'Row',
  request: 'Request',
  bucket: 'Bucket',
  object: 'Object',
  quota: 'Quota',
  subscription: 'Subscription',
  fault: 'Fault',
}

/** The links in the emulator's order; whatever follows the first broken one was not reached. */
export function shownLinks(chain: AccessChain): readonly ShownLink[] {
  const culprit = chain.links.findIndex(({ state }) => state === 'broken')
  return chain.links.map((link, at) => ({
    link: link.link,
    state: link.state,
    title: link.title,
    sentence: link.sentence,
    facts: Object.entries(link.facts),
    isCulprit: at === culprit,
    isReached: culprit === -1 || at <= culprit,
  }))
}

/** Whether the chain is useful: the request was refused, or returned no rows. */
export function isWorthAChain(request: {
  readonly status: number
  readonly row_count: number | null
}): boolean {
  return request.status >= 400 || request.row_count === 0
}

/** The chain in one sentence for a screen reader. */
export function chainSentence(links: readonly ShownLink[]): string {
  const culprit = links.find(({ isCulprit }) => isCulprit)
  if (culprit === undefined) return 'Every link holds.'
  return `The chain breaks at ${LINK_NAMES[culprit.link].toLowerCase()}: ${culprit.title}.`
}
