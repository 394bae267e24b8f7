// The links of a chain from credential to row, and how findings about some of them become the whole line. Pure.
import type { ChainLink } from '../../contract/explain.ts'

export type LinkName = ChainLink['link']
export type Finding = Omit<ChainLink, 'link'>
export type Findings = Readonly<Partial<Record<LinkName, Finding>>>
type Facts = Readonly<Record<string, string>>

export function holds(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'holds', title, sentence, facts }
}

export function broken(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'broken', title, sentence, facts }
}

export function notNeeded(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'not_needed', title, sentence, facts }
}

/** Links in `order`: up to the first broken one as found, after it not reached. One broken outside the order comes last. */
export function lineUp(order: readonly LinkName[], findings: Findings): readonly ChainLink[] {
  const names = Object.keys(findings) as LinkName[]
  const outside = names.filter((name) => !order.includes(name))
  const links: ChainLink[] = []
  let isBroken = false
  for (const link of [...order, ...outside.filter((name) => findings[name]?.state === 'broken')]) {
    const finding = findings[link] ?? NOT_ASKED
    links.push({ link, ...(isBroken ? NOT_REACHED : finding) })
    isBroken ||= finding.state === 'broken'
  }
  return links
}

/** The finding that is why, if one is. */
export function firstBroken(links: readonly ChainLink[]): ChainLink | undefined {
  return links.find(({ state }) => state === 'broken')
}

const NOT_ASKED = notNeeded('nothing to ask', 'This request did not depend on it.')
const NOT_REACHED: Finding = {
  state: 'unknown',
  title: 'not reached',
  sentence: 'The request had ended before.',
  facts: {},
}
