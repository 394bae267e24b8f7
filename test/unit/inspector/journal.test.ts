import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import type { RequestFinished } from '../../../emulator/core/observation.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openJournal } from '../../../emulator/inspector/journal.ts'

const entry = (requestId: string, more: Partial<RequestFinished> = {}): RequestFinished => ({
  kind: 'requestFinished',
  requestId,
  service: 'data',
  method: 'GET',
  target: '/rooms',
  status: 200,
  receivedAt: epochMillis(0),
  durationMillis: 3,
  facts: { schemaName: 'proj_a', role: 'anon', statement: 'select 1', rowCount: 1 },
  ...more,
})

function open(capacity = 100) {
  const wallClock = new ManualClock(epochMillis(0))
  return { wallClock, journal: openJournal({ file: undefined, capacity, wallClock }) }
}

describe('journal', () => {
  it('reads entries newest first, the unwritten ones included', () => {
    const { journal } = open()
    journal.observe(entry('one'))
    journal.observe(entry('two', { status: 401, errorCode: 'unauthorized', errorMessage: 'no' }))
    expect(journal.read({ limit: 10 })).toMatchObject([
      {
        request_id: 'two',
        status: 401,
        error_code: 'unauthorized',
        received_at: '1970-01-01T00:00:00.000Z',
      },
      {
        request_id: 'one',
        schema_name: 'proj_a',
        role: 'anon',
        statement: 'select 1',
        row_count: 1,
        error_code: null,
      },
    ])
  })

  it('keeps no more than its capacity and drops the oldest', () => {
    const { journal } = open(5)
    for (let index = 0; index < 40; index += 1) {
      journal.observe(entry(`r${index}`))
      journal.read({ limit: 1 })
    }
    expect(journal.read({ limit: 100 }).map(({ request_id }) => request_id)).toEqual([
      'r39',
      'r38',
      'r37',
      'r36',
      'r35',
    ])
  })

  it('pages backwards from a sequence number and filters by tenant and request', () => {
    const { journal } = open()
    for (const name of ['a', 'b', 'c'])
      journal.observe(entry(name, { facts: { schemaName: `proj_${name}` } }))
    const [newest] = journal.read({ limit: 1 })
    expect(journal.read({ limit: 1, before: newest?.sequence ?? 0 })).toMatchObject([
      { request_id: 'b' },
    ])
    expect(journal.read({ limit: 9, schemaName: 'proj_a' })).toMatchObject([{ request_id: 'a' }])
    expect(journal.read({ limit: 9, requestId: 'b' })).toHaveLength(1)
  })

  it('writes by itself a moment later, not while the request waits', () => {
    const { journal, wallClock } = open()
    journal.observe(entry('late'))
    wallClock.advance(1_000)
    expect(journal.read({ limit: 1 })).toHaveLength(1)
  })

  it('ignores what is no finished request', () => {
    const { journal } = open()
    journal.observe({ kind: 'internalFailure', requestId: 'x', error: new Error('boom') })
    expect(journal.read({ limit: 9 })).toEqual([])
  })
})
