// The journal keeps explanations of refusals up to a number and a size, and removes the oldest first.
import { describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../../emulator/contract/explain.ts'
import { createKeptExplanations } from '../../../../emulator/insight/journal/recording/recorder.ts'

const chain = (id: number): AccessChain => ({
  request_id: `req_${id}`,
  status: 403,
  as_of: 'refusal',
  links: [
    { link: 'policy', state: 'broken', title: 'own_notes', sentence: `Row ${id}.`, facts: {} },
  ],
  sentence: `The policy own_notes refuses row ${id}.`,
  incomplete: null,
  suggested_fix: null,
  mend: null,
  explain: null,
})

describe('kept explanations', () => {
  it('are found unchanged', () => {
    const kept = createKeptExplanations()
    kept.keep(chain(1))
    expect(kept.find('req_1')).toEqual(chain(1))
    expect(kept.find('req_2')).toBeUndefined()
    kept.clear()
    expect(kept.find('req_1')).toBeUndefined()
  })

  it('are removed, the oldest first, when their number exceeds the limit', () => {
    const kept = createKeptExplanations({ count: 3, bytes: 1 << 20 })
    for (const id of [1, 2, 3, 1, 4]) kept.keep(chain(id))
    const found = [1, 2, 3, 4].map((id) => kept.find(`req_${id}`) !== undefined)
    expect(found).toEqual([true, false, true, true])
  })

  it('are removed when their size exceeds the limit', () => {
    const kept = createKeptExplanations({ count: 1_000, bytes: 2_000 })
    for (let id = 0; id < 100; id += 1) kept.keep(chain(id))
    const found = Array.from({ length: 100 }, (_, id) => kept.find(`req_${id}`)).filter(Boolean)
    expect(found.length).toBeGreaterThan(2)
    expect(found.length).toBeLessThan(20)
    expect(found.at(-1)?.request_id).toBe('req_99')
  })
})
