import { describe, expect, it } from 'vitest'
import type { AccessChain, ChainLink } from '../../../../../emulator/contract/explain.ts'
import {
  chainSentence,
  isWorthAChain,
  shownLinks,
} from '../../../../../renderer/parts/chain/chain-model.ts'

function chainOf(...states: readonly ChainLink['state'][]): AccessChain {
  const names = ['credential', 'project', 'role', 'policy'] as const
  return {
    request_id: 'req',
    as_of: 'now',
    basis: null,
    changed_since: [],
    status: 403,
    links: states.map((state, at) => ({
      link: names[at] ?? 'row',
      state,
      title: `title ${at}`,
      sentence: '',
      facts: {},
    })),
    sentence: '',
    incomplete: null,
    suggested_fix: null,
    mend: null, // cspell:ignore mend
    explain: null,
  }
}

describe('shownLinks', () => {
  it('marks only the first broken link, and later links as not reached', () => {
    const links = shownLinks(chainOf('holds', 'broken', 'broken', 'unknown'))
    expect(links.map(({ isCulprit }) => isCulprit)).toEqual([false, true, false, false])
    expect(links.map(({ isReached }) => isReached)).toEqual([true, true, false, false])
  })

  it('names the broken link in one sentence', () => {
    expect(chainSentence(shownLinks(chainOf('holds', 'broken')))).toBe(
      'The request fails at project: title 1.',
    )
    expect(chainSentence(shownLinks(chainOf('holds', 'not_needed')))).toBe('All checks passed.')
  })
})

describe('isWorthAChain', () => {
  it('returns true for refused requests and for empty answers', () => {
    expect(isWorthAChain({ status: 403, row_count: null })).toBe(true)
    expect(isWorthAChain({ status: 200, row_count: 0 })).toBe(true)
    expect(isWorthAChain({ status: 200, row_count: 3 })).toBe(false)
    expect(isWorthAChain({ status: 204, row_count: null })).toBe(false)
    expect(isWorthAChain({ status: 200, row_count: 3, fault: 'flt_1' })).toBe(true)
  })
})
