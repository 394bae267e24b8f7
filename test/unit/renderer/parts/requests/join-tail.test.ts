import { describe, expect, it } from 'vitest'
import { countNewer, joinTail, upTo } from '../../../../../renderer/parts/requests/join-tail.ts'
import { entryWith } from '../../features/requests/journal-entry.ts'

const entry = (sequence: number) => entryWith({ sequence })
const sequences = (entries: readonly { readonly sequence: number }[]) =>
  entries.map(({ sequence }) => sequence)

describe('joinTail', () => {
  it('puts live entries above the journal’s entries, without duplicates', () => {
    const tail = joinTail([entry(3), entry(2), entry(1)], [entry(3), entry(4), entry(5)])
    expect(sequences(tail)).toEqual([5, 4, 3, 2, 1])
  })

  it('sorts entries that arrive late', () => {
    expect(sequences(joinTail([entry(3)], [entry(5), entry(4)]))).toEqual([5, 4, 3])
  })

  it('keeps only the newest entries up to the limit', () => {
    expect(sequences(joinTail([entry(2), entry(1)], [entry(3), entry(4)], 3))).toEqual([4, 3, 2])
  })
})

describe('countNewer', () => {
  const tail = [entry(4), entry(3), entry(2)]

  it.each([
    [4, 0],
    [2, 2],
    [0, 3],
  ])('counts the entries newer than %i: %i', (sequence, count) => {
    expect(countNewer(tail, sequence)).toBe(count)
    expect(upTo(tail, sequence)).toEqual(tail.slice(count))
  })
})
