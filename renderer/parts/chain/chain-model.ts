// Prepares the links of a request's access chain for display, and finds the first broken link. Pure.
import type { AccessChain, ChainLink } from '../../../emulator/contract/explain.ts'

export interface ShownLink {
  readonly link: ChainLink['link']
  readonly state: ChainLink['state']
  readonly title: string
  readonly sentence: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Whether this is the first broken link, which caused the refusal of the request. */
  readonly isCulprit: boolean
  /** Whether the request got as far as this link. */
  readonly isReached: boolean
}

/** Words for the states, shown beside each shape for users who cannot distinguish colours. */
export const LINK_WORDS: Readonly<Record<ChainLink['state'], string>> = {
  holds: 'passes',
  broken: 'fails here',
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

/** Returns the links in the emulator's order. Links after the first broken one were not reached. */
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

/** Whether the chain already shows this text, so that no line beside the chain repeats the text. */
export function isSaid(chain: AccessChain, text: string): boolean {
  return (
    chain.sentence.includes(text) ||
    chain.links.some(
      ({ facts, title }) => title.includes(text) || Object.values(facts).includes(text),
    )
  )
}

/** Whether the chain explains something: the request was refused, met a fault or returned no rows. */
export function isWorthAChain(request: {
  readonly status: number
  readonly row_count: number | null
  readonly fault?: string | null
}): boolean {
  const { fault = null, row_count: rows, status } = request
  return status >= 400 || rows === 0 || fault !== null
}

/** Summarises the chain in one sentence for screen readers. */
export function chainSentence(links: readonly ShownLink[]): string {
  const culprit = links.find(({ isCulprit }) => isCulprit)
  if (culprit === undefined) return 'All checks passed.'
  return `The request fails at ${LINK_NAMES[culprit.link].toLowerCase()}: ${culprit.title}.`
}
