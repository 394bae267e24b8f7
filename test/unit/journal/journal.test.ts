import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../emulator/contract/explain.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import type { Observation, RequestFinished } from '../../../emulator/core/observation.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openJournal } from '../../../emulator/insight/journal/journal.ts'
import { temporaryFolder } from '../../support/cli-process.ts'

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

const explanation = (requestId: string): AccessChain => ({
  request_id: requestId,
  status: 403,
  as_of: 'refusal',
  basis: null,
  changed_since: [],
  links: [{ link: 'policy', state: 'broken', title: 'own_notes', sentence: 'Refused.', facts: {} }],
  sentence: 'The policy own_notes refuses the row.',
  incomplete: null,
  suggested_fix: null,
  mend: null,
  explain: null,
})

function open(capacity = 100, file?: string) {
  const wallClock = new ManualClock(epochMillis(0))
  const reports: Observation[] = []
  const report = (observation: Observation) => reports.push(observation)
  return {
    wallClock,
    reports,
    journal: openJournal({ file, capacity, wallClock, report }),
  }
}

describe('journal', () => {
  it('reads entries newest first, including entries that are not written yet', () => {
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

  it('keeps at most its capacity and drops the oldest entries', () => {
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

  it('writes entries after the request was answered', () => {
    const { journal, wallClock } = open()
    journal.observe(entry('late'))
    wallClock.advance(1_000)
    expect(journal.read({ limit: 1 })).toHaveLength(1)
  })

  it('moves its write-ahead log into the file when no request has arrived for a while', () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'journal.db')
    const { journal, wallClock } = open(100, file)
    const isInFile = () => readFileSync(file, 'latin1').includes('request-one')
    journal.observe(entry('request-one'))
    wallClock.advance(1_000)
    journal.observe(entry('request-two'))
    wallClock.advance(1_500)
    expect(isInFile()).toBe(false)
    wallClock.advance(1_500)
    expect(isInFile()).toBe(true)
    journal.close()
    folder.remove()
  })

  it('ignores observations other than finished requests', () => {
    const { journal } = open()
    journal.observe({ kind: 'internalFailure', requestId: 'x', error: new Error('boom') })
    expect(journal.read({ limit: 9 })).toEqual([])
  })

  describe('while its file cannot be written', () => {
    const folder = temporaryFolder()
    afterAll(() => folder.remove())

    /** Opens a journal. A trigger of a second connection refuses every new entry until `makeRoom` removes the trigger. */
    function openBlocked(name: string, capacity = 100, before: readonly RequestFinished[] = []) {
      const file = join(folder.path, name)
      const opened = open(capacity, file)
      for (const finished of before) opened.journal.observe(finished)
      opened.wallClock.advance(1_000)
      const other = new Database(file)
      other.exec(
        `create trigger full before insert on journal begin select raise(abort, 'no room'); end`,
      )
      return { ...opened, makeRoom: () => other.exec('drop trigger full').close() }
    }

    it('reads entries from memory, together with entries written before', () => {
      const { journal } = openBlocked('reads.db', 100, [entry('written')])
      journal.observe(entry('unwritten', { status: 503 }))
      expect(journal.read({ limit: 9 }).map(({ request_id }) => request_id)).toEqual([
        'unwritten',
        'written',
      ])
      expect(journal.facets({}).statuses).toEqual({ '2xx': 1, '5xx': 1 })
    })

    it('reports the outage once, and writes the entries when the file can be written again', () => {
      const { journal, wallClock, reports, makeRoom } = openBlocked('resumes.db')
      for (let index = 0; index < 5; index += 1) {
        journal.observe(entry(`r${index}`))
        wallClock.advance(10_000)
      }
      makeRoom()
      wallClock.advance(10_000)
      expect(reports.map(({ kind }) => kind)).toEqual(['backgroundFailed', 'backgroundResumed'])
      journal.close()
      const { journal: later } = open(100, join(folder.path, 'resumes.db'))
      expect(later.read({ limit: 9 })).toHaveLength(5)
    })

    it('keeps only the newest 2,000 entries in memory', () => {
      const { journal, makeRoom } = openBlocked('bounded.db', 100_000)
      for (let index = 0; index < 20_000; index += 1) journal.observe(entry(`r${index}`))
      makeRoom()
      expect(journal.facets({}).total).toBe(2_000)
      expect(journal.read({ limit: 1 })).toMatchObject([{ request_id: 'r19999', sequence: 20_000 }])
    })
  })
})

describe('explanations of refusals', () => {
  const refused = (sequence: number) => ({ sequence, request_id: `r${sequence}` })

  it('are found unchanged by their entry, also before the entry is written', () => {
    const { journal } = open()
    journal.observe(entry('r1', { status: 403 }))
    journal.keepExplanation(refused(1), explanation('r1'))
    expect(journal.findExplanation(refused(1))).toEqual(explanation('r1'))
    expect(journal.findExplanation(refused(2))).toBeUndefined()
  })

  it('are dropped together with their entries', () => {
    const { journal } = open(5)
    for (let index = 1; index <= 40; index += 1) {
      journal.observe(entry(`r${index}`, { status: 403 }))
      journal.keepExplanation(refused(index), explanation(`r${index}`))
    }
    const entries = journal.read({ limit: 100 })
    const found = Array.from({ length: 40 }, (_, at) => refused(at + 1)).filter(
      (of) => journal.findExplanation(of) !== undefined,
    )
    expect(found.toReversed()).toEqual(
      entries.map(({ sequence, request_id }) => ({ sequence, request_id })),
    )
    expect(entries).toHaveLength(5)
  })

  it('are never shown for another request that got the same number after a crash', () => {
    const { journal } = open()
    journal.keepExplanation(refused(1), explanation('r1'))
    expect(journal.findExplanation({ sequence: 1, request_id: 'other' })).toBeUndefined()
  })

  it('are forgotten when the journal is cleared, and not kept when it is turned off', () => {
    const { journal } = open()
    journal.keepExplanation(refused(1), explanation('r1'))
    journal.clear()
    expect(journal.findExplanation(refused(1))).toBeUndefined()
    const { journal: off } = open(0)
    off.keepExplanation(refused(1), explanation('r1'))
    expect(off.findExplanation(refused(1))).toBeUndefined()
  })
})
