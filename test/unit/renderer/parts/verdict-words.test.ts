// renderer/parts/verdict-words.ts: verdicts in words.
import { describe, expect, it } from 'vitest'
import { splitReason, verdictCount, verdictLead } from '../../../../renderer/parts/verdict-words.ts'

describe('verdicts in words', () => {
  it.each([
    ['hidden by own: a = b is false', ['hidden', ' by own: a = b is false']],
    ['hidden: no policy for SELECT', ['hidden', ': no policy for SELECT']],
    ['no grant', ['hidden', ': no grant']],
  ])('separates the verdict from the reason of %j', (reason, parts) => {
    expect(splitReason('select', false, reason)).toEqual(parts)
  })

  it('counts allowed rows', () => {
    expect(verdictCount('select', 3, 12_000)).toBe('3 of 12,000 rows visible')
  })

  it('starts a sentence with the evaluated condition', () => {
    expect([verdictLead('select', false), verdictLead('delete', true)]).toEqual([
      'Hidden from',
      'Can be deleted by',
    ])
  })
})
