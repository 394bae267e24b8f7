import { describe, expect, it } from 'vitest'
import { filterRequests } from '../../../../../renderer/features/requests/filter-requests.ts'
import { entryWith } from './journal-entry.ts'

const entries = [
  entryWith({ sequence: 5, status: 403, error_message: 'permission denied for table notes' }),
  entryWith({ sequence: 4, method: 'POST', status: 201, role: 'service_role' }),
  entryWith({
    sequence: 3,
    schema_name: 'proj_boavista',
    subject: 'c0ffee',
    role: 'authenticated',
  }),
  entryWith({
    sequence: 2,
    service: 'auth',
    target: '/auth/v1/signin',
    method: 'POST',
    status: 401,
  }),
]
const sequences = (search: Parameters<typeof filterRequests>[1]) =>
  filterRequests(entries, search).entries.map(({ sequence }) => sequence)

describe('filterRequests', () => {
  it('keeps requests that have one of the chosen values in every facet', () => {
    expect(sequences({ status: '4xx' })).toEqual([5, 2])
    expect(sequences({ status: '2xx,4xx', service: 'rest' })).toEqual([5, 4, 3])
    expect(sequences({ tenant: 'boavista' })).toEqual([3])
    expect(sequences({ identity: 'c0ffee' })).toEqual([3])
    expect(sequences({ method: 'POST', service: 'auth' })).toEqual([2])
  })

  it('keeps requests that contain all words, in upper or lower case', () => {
    expect(sequences({ q: 'DENIED notes' })).toEqual([5])
    expect(sequences({ q: 'denied signin' })).toEqual([])
  })

  it('keeps requests that took at least the chosen time', () => {
    const slow = entryWith({ sequence: 6, duration_ms: 500 })
    const found = filterRequests([slow, ...entries], { slower: 500 })
    expect(found.entries).toEqual([slow])
  })

  it('counts a facet’s values with the filters of the other facets only', () => {
    const { facets } = filterRequests(entries, { status: '4xx' })
    expect(facets.status).toEqual([
      { value: '2xx', count: 2, isChosen: false },
      { value: '4xx', count: 2, isChosen: true },
    ])
    expect(facets.method).toEqual([
      { value: 'GET', count: 1, isChosen: false },
      { value: 'POST', count: 1, isChosen: false },
    ])
  })

  it('keeps only refused requests, and counts them under the other filters', () => {
    expect(sequences({ refused: 'only' })).toEqual([5, 2])
    expect(filterRequests(entries, { tenant: 'aurora', service: 'rest' }).refused).toBe(1)
    expect(filterRequests(entries, { refused: 'only' }).facets.service).toEqual([
      { value: 'auth', count: 1, isChosen: false },
      { value: 'rest', count: 1, isChosen: false },
    ])
  })

  it('hides the inspector’s own requests unless the filter shows them', () => {
    const own = entryWith({ sequence: 9, is_from_inspector: true })
    const { entries: shown, own: count } = filterRequests([own, ...entries], {})
    expect([shown.length, count]).toEqual([entries.length, 1])
    expect(filterRequests([own, ...entries], { own: 'shown' }).entries[0]?.sequence).toBe(9)
  })

  it('keeps requests of the selected time, and requests of any time for the timeline', () => {
    const at = Date.parse('2026-11-21T10:00:00.000Z')
    const early = entryWith({ sequence: 1, arrived_at: '2026-11-21T09:59:59.999Z' })
    const found = filterRequests([...entries, early], { from: at, to: at + 1, tenant: 'aurora' })
    expect(found.entries.map(({ sequence }) => sequence)).toEqual([5, 4, 2])
    expect(found.atAnyTime.map(({ sequence }) => sequence)).toEqual([5, 4, 2, 1])
    expect(found.facets.tenant.map(({ count }) => count)).toEqual([3, 1])
  })

  it('keeps a chosen value in its facet when no request has this value', () => {
    const { facets } = filterRequests(entries, { tenant: 'gone' })
    expect(facets.tenant).toContainEqual({ value: 'gone', count: 0, isChosen: true })
  })
})
