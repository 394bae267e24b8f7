// renderer/parts/verdict-words.ts: verdicts in words.
import { describe, expect, it } from 'vitest'
import type { RowVerdict } from '../../../../emulator/contract/explain.ts'
import { splitReason, verdictCount, verdictLead } from '../../../../renderer/parts/verdict-words.ts'

describe('verdicts in words', () => {
  it.each([
    ['hidden by own: a = b is false', ['hidden', ' by own: a = b is false']],
    ['hidden: no policy for SELECT', ['hidden', ': no policy for SELECT']],
    ['no grant', ['hidden', ': no grant']],
  ])('separate the verdict from the reason in %j', (reason, parts) => {
    expect(splitReason('select', false, reason)).toEqual(parts)
  })

  it('count allowed rows', () => {
    const all = { command: 'select', rows: [], total: 12_000, allowed_total: 3 } as const
    expect(verdictCount(all)).toBe('3 of 12,000 rows visible')
  })

  it('say how many rows were evaluated when the table has more rows', () => {
    const rows = [true, false, true].map((allowed) => ({
      allowed,
    })) as unknown as readonly RowVerdict[]
    expect(verdictCount({ command: 'delete', rows, total: 50_000 })).toBe(
      '2 of the first 3 rows deletable',
    )
  })

  it('begin a sentence that ends with the identity', () => {
    expect([verdictLead('select', false), verdictLead('delete', true)]).toEqual([
      'Hidden from',
      'Can be deleted by',
    ])
  })
})
