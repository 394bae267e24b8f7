// Matching, counting and probability of faults.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FaultOrder } from '../../../emulator/contract/faults.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import type { FacedRequest } from '../../../emulator/core/fault.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { createFaultBook, type FaultBook } from '../../../emulator/insight/faults/fault-book.ts'
import type { PastRequest } from '../../../emulator/insight/faults/preview-fault.ts'

function bookOf(seed = 'faults'): FaultBook {
  return createFaultBook({
    ids: new SeededIdSource(seed),
    clock: new ManualClock(epochMillis(0)),
    schemaNameOf: (project) => `proj_${project}`,
    requestProjects: (request) => [request.headers.get('x-project') ?? ''],
  })
}

let serial = 0
function requestTo(door: FacedRequest['door'], call: string, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = call.split(' ')
  serial += 1
  const request: FacedRequest = {
    requestId: `req_${serial}`,
    door,
    method,
    path,
    target: path,
    headers: new Headers(headers),
  }
  return request
}

const bearer = (claims: object) => ({
  authorization: `Bearer x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`,
})
const dropped: FaultOrder = { scope: {}, effect: { kind: 'connection_dropped' } }

describe('the requests that a fault applies to', () => {
  it('are all requests of the platform when the fault has an empty scope', () => {
    const { armFaults, requests } = bookOf()
    armFaults([dropped])
    expect(requests.meet(requestTo('auth', 'GET /auth/v1/user'))?.outcome?.kind).toBe(
      'connection_dropped',
    )
    expect(requests.meet(requestTo('data', 'GET /rooms'))?.outcome?.kind).toBe('connection_dropped')
  })

  it.each<[string, FaultOrder['scope'], FacedRequest, boolean]>([
    ['its service', { service: 'data' }, requestTo('data', 'GET /rooms'), true],
    ['another service', { service: 'data' }, requestTo('auth', 'GET /auth/v1/user'), false],
    ['its operation', { operation: 'rows.read' }, requestTo('data', 'GET /rooms'), true],
    ['another operation', { operation: 'rows.read' }, requestTo('data', 'POST /rooms'), false],
    [
      'its project',
      { project: 'a' },
      requestTo('data', 'GET /rooms', { 'x-project': 'proj_a' }),
      true,
    ],
    [
      'another project',
      { project: 'a' },
      requestTo('data', 'GET /rooms', { 'x-project': 'proj_b' }),
      false,
    ],
    [
      'its role',
      { identity: { role: 'anon' } },
      requestTo('data', 'GET /rooms', bearer({ role: 'anon' })),
      true,
    ],
    ['no identity', { identity: { role: 'anon' } }, requestTo('data', 'GET /rooms'), false],
    [
      'the role that a storage token was exchanged for',
      { identity: { role: 'service_role' } },
      requestTo(
        'storage',
        'GET /storage/v1/bucket',
        bearer({ role: 'authenticated', origin_role: 'service_role' }),
      ),
      true,
    ],
    [
      'its user by e-mail address',
      { identity: { subject: 'Ana@x.test' } },
      requestTo('data', 'GET /rooms', bearer({ sub: 'u1', email: 'ana@x.test' })),
      true,
    ],
    [
      'another user',
      { identity: { subject: 'u2' } },
      requestTo('data', 'GET /rooms', bearer({ sub: 'u1' })),
      false,
    ],
  ])('depend on the scope of the fault: %s', (_title, scope, request, isMet) => {
    const { armFaults, requests } = bookOf()
    armFaults([{ ...dropped, scope }])
    expect(requests.meet(request) !== undefined).toBe(isMet)
  })

  it('belong only to operations that document the error code of the fault', () => {
    const { armFaults, requests } = bookOf()
    armFaults([{ scope: {}, effect: { kind: 'error', code: 'slug_taken' } }])
    expect(requests.meet(requestTo('control', 'GET /platform/v1/groups'))).toBeUndefined()
    expect(requests.meet(requestTo('control', 'POST /groups/v1/g/tenants'))).toBeDefined()
  })

  it('do not include paths that the platform does not have', () => {
    const { armFaults, requests } = bookOf()
    armFaults([dropped])
    expect(requests.meet(requestTo('control', 'GET /platform/v1/nothing'))).toBeUndefined()
  })

  it('get the sum of all delays, and only the oldest of the other faults', () => {
    const { armFaults, requests } = bookOf()
    const [, , decides, waits] = armFaults([
      { scope: {}, effect: { kind: 'latency', ms: 10 } },
      { scope: {}, effect: { kind: 'latency', ms: 5 } },
      { scope: {}, effect: { kind: 'answer_lost' } },
      dropped,
    ])
    const met = requests.meet(requestTo('data', 'GET /rooms'))
    expect(met).toMatchObject({
      delayMillis: 15,
      outcome: { kind: 'answer_lost' },
      faultId: decides?.id,
    })
    expect(waits).toMatchObject({ fired: 0 })
  })
})

describe('an armed fault', () => {
  it('fires for exactly as many simultaneous requests as its count allows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 60 }),
        async (count, requests) => {
          const book = bookOf()
          book.armFaults([{ ...dropped, count }])
          const met = await Promise.all(
            Array.from({ length: requests }, async () => {
              await Promise.resolve()
              return book.requests.meet(requestTo('data', 'GET /rooms'))
            }),
          )
          expect(met.filter((each) => each !== undefined)).toHaveLength(Math.min(count, requests))
          expect(book.list()).toHaveLength(requests >= count ? 0 : 1)
          expect(book.requests.isArmed).toBe(requests < count)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('fires with its probability, and at the same requests for the same seed', () => {
    const firings = (seed: string): readonly boolean[] => {
      const { armFaults, requests } = bookOf(seed)
      armFaults([{ ...dropped, probability: 0.3 }])
      return Array.from(
        { length: 2_000 },
        () => requests.meet(requestTo('data', 'GET /rooms')) !== undefined,
      )
    }
    const fired = firings('one')
    expect(fired.filter(Boolean).length / fired.length).toBeCloseTo(0.3, 1)
    expect(firings('one')).toEqual(fired)
    expect(firings('other')).not.toEqual(fired)
  })

  it('is listed with its newest 20 requests, the newest first', () => {
    const { armFaults, requests, list } = bookOf()
    armFaults([dropped])
    const made = Array.from({ length: 25 }, () => requestTo('data', 'GET /rooms'))
    for (const request of made) requests.meet(request)
    expect(list()[0]).toMatchObject({
      fired: 25,
      request_ids: made
        .toReversed()
        .slice(0, 20)
        .map(({ requestId }) => requestId),
    })
  })
})

describe('the fault book', () => {
  it.each<[FaultOrder, RegExp]>([
    [{ scope: {}, effect: { kind: 'error', code: 'nonsense' } }, /no error nonsense/],
    [
      { scope: { operation: 'rows.read' }, effect: { kind: 'error', code: 'slug_taken' } },
      /not documented for rows.read/,
    ],
    [{ scope: { service: 'auth' }, effect: { kind: 'disk_full' } }, /does not apply to auth/],
    [{ scope: { operation: 'nothing' }, effect: { kind: 'answer_lost' } }, /no operation nothing/],
    [
      { scope: { service: 'auth', operation: 'rows.read' }, effect: { kind: 'answer_lost' } },
      /does not belong to auth/,
    ],
  ])('refuses an order that applies to no operation: %j', (order, reason) => {
    expect(() => bookOf().armFaults([order])).toThrow(reason)
  })

  it('does not change when one of several orders is refused', () => {
    const book = bookOf()
    expect(() =>
      book.armFaults([dropped, { scope: {}, effect: { kind: 'error', code: 'nonsense' } }]),
    ).toThrow()
    expect(book.list()).toEqual([])
  })

  it('can find a fault even after it was disarmed', () => {
    const book = bookOf()
    const [armed] = book.armFaults([dropped])
    expect(book.disarm(armed?.id ?? '')).toEqual(armed)
    expect(book.find(armed?.id ?? '')).toEqual(armed)
    expect(() => book.disarm(armed?.id ?? '')).toThrow(/is armed/)
  })

  it('notifies the listener of every change and every firing', () => {
    const book = bookOf()
    const told: number[] = []
    book.onChange((armed) => told.push(armed))
    book.armFaults([{ ...dropped, count: 2 }])
    book.requests.meet(requestTo('data', 'GET /rooms'))
    book.requests.meet(requestTo('data', 'GET /rooms'))
    book.armFaults([dropped, dropped])
    expect(book.disarmAll()).toBe(2)
    expect(told).toEqual([1, 1, 0, 2, 0])
  })
})

describe('the preview of a fault', () => {
  const past = (door: FacedRequest['door'], call: string, facts: Partial<PastRequest> = {}) => ({
    ...requestTo(door, call),
    schemaName: undefined,
    role: undefined,
    subject: undefined,
    claims: undefined,
    ...facts,
  })
  const anon = past('data', 'GET /rooms', { role: 'anon', schemaName: 'proj_a' })
  const ana = past('data', 'POST /rooms', {
    claims: { role: 'authenticated', sub: 'u1', email: 'ana@x.test' },
    schemaName: 'proj_b',
  })
  const account = past('auth', 'GET /auth/v1/user')
  const requests = [anon, ana, account]

  it.each<[string, Partial<FaultOrder>, readonly PastRequest[]]>([
    ['any request', {}, requests],
    ['a service', { scope: { service: 'data' } }, [anon, ana]],
    ['an operation', { scope: { operation: 'rows.read' } }, [anon]],
    ['a project', { scope: { project: 'b' } }, [ana]],
    ['a role of the journal', { scope: { identity: { role: 'anon' } } }, [anon]],
    ['an address of recorded claims', { scope: { identity: { subject: 'ANA@x.test' } } }, [ana]],
    ['a documented code', { effect: { kind: 'error', code: 'slug_taken' } }, []],
  ])('finds the requests of %s', (_title, order, expected) => {
    const { preview } = bookOf()
    const { requests_read: read, request_ids: ids } = preview({ ...dropped, ...order }, requests)
    expect(read).toBe(3)
    expect(ids).toEqual(expected.map(({ requestId }) => requestId))
  })

  it('lists the matching operations, and arms no fault', () => {
    const { list, preview } = bookOf()
    const { operations } = preview({ ...dropped, scope: { service: 'data' } }, [])
    expect(operations).toContain('rows.read')
    expect(new Set(operations).size).toBe(operations.length)
    expect(list()).toEqual([])
  })
})

describe('the history of faults', () => {
  it('keeps the newest 500 firings with their requests, even after the fault was disarmed', () => {
    const { armFaults, disarmAll, history, requests } = bookOf()
    const [armed] = armFaults([dropped])
    const ids = Array.from({ length: 501 }, () => {
      const request = requestTo('data', 'GET /rooms', { 'x-project': 'proj_a' })
      requests.meet(request)
      return request.requestId
    })
    disarmAll()
    const { faults, firings } = history(1_000)
    expect(firings.map(({ request_id: id }) => id)).toEqual(ids.slice(1).toReversed())
    expect(firings[0]).toEqual({
      number: 501,
      at: '1970-01-01T00:00:00.000Z',
      fault_id: armed?.id,
      operation: 'rows.read',
      schema_name: 'proj_a',
      request_id: ids.at(-1),
    })
    expect(faults).toMatchObject([{ id: armed?.id, fired: 501 }])
  })
})
