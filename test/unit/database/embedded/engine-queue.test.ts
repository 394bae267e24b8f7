// The queue in front of the engine, with a scripted worker and a manual clock.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { EngineQueue } from '../../../../emulator/database/embedded/queue/engine-queue.ts'
import type { Job } from '../../../../emulator/database/embedded/queue/queued-job.ts'
import { ScriptedWorker } from '../../../support/scripted-worker.ts'

const TENANT_WORK: Job = {
  request: {
    kind: 'run',
    work: {
      actor: { schemaName: trusted.schemaName('proj_a'), role: 'anon' },
      settings: {},
      mode: 'readOnly',
      statements: { text: 'select 1' },
      end: 'commit',
    },
  },
  timeoutMillis: 60_000,
}
const PLATFORM_WORK: Job = { request: { kind: 'admin', text: 'select 1' } }
const BOUNDS = { blockingMillis: 10_000, queueMillis: 30_000 }

let clock: ManualClock
let worker: ScriptedWorker
let queue: EngineQueue
beforeEach(() => {
  clock = new ManualClock(epochMillis(0))
  worker = new ScriptedWorker()
  queue = new EngineQueue(worker, clock, BOUNDS)
})

/** Submits a job. Returns an object that shows the job's result as soon as the job has ended. */
function follow(job: Job) {
  const seen: { code?: string; message?: string; isDone?: true; retryAfter?: number } = {}
  queue.submit(job).then(
    () => {
      seen.isDone = true
    },
    (error) => {
      Object.assign(seen, { code: error.code, message: error.message })
      if (error.retryAfterSeconds !== undefined) seen.retryAfter = error.retryAfterSeconds
    },
  )
  return seen
}

// Promises of the queue settle in microtasks, and no test waits for real time.
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('work that other work waits for', () => {
  it('is cancelled after other work has waited for the time limit', () => {
    follow(TENANT_WORK)
    worker.begin()
    clock.advance(20_000)
    follow(TENANT_WORK)
    clock.advance(9_999)
    expect(worker.cancelled).toEqual([])
    clock.advance(1)
    expect(worker.cancelled).toEqual([1])
  })

  it('keeps running while no other work is queued', () => {
    follow(TENANT_WORK)
    worker.begin()
    clock.advance(59_999)
    expect(worker.cancelled).toEqual([])
  })

  it('keeps running when the waiting work is withdrawn', () => {
    follow(TENANT_WORK)
    worker.begin()
    const impatient = new AbortController()
    follow({ ...TENANT_WORK, signal: impatient.signal })
    clock.advance(9_000)
    impatient.abort()
    clock.advance(20_000)
    expect(worker.cancelled).toEqual([])
  })

  it('is not cancelled when it is work of the platform', () => {
    follow({ ...TENANT_WORK, mayKeepOthersWaiting: true })
    worker.begin()
    follow(TENANT_WORK)
    clock.advance(29_000)
    expect(worker.cancelled).toEqual([])
  })
})

describe('work in an engine without cancel flags', () => {
  it('is ended by a restart of the engine after the limit, and the waiting work runs in the next engine', async () => {
    worker.mayCancel = false
    const late = follow(TENANT_WORK)
    worker.begin()
    const waiting = follow(TENANT_WORK)
    clock.advance(10_000)
    await settled()
    expect([late.code, worker.starts, worker.cancelled]).toEqual(['57014', 1, []])
    worker.begin()
    worker.answer()
    await settled()
    expect(waiting).toEqual({ isDone: true })
  })
})

describe('work that waits', () => {
  it('is refused when it has not begun within the time limit, and never runs', async () => {
    follow({ ...TENANT_WORK, mayKeepOthersWaiting: true })
    worker.begin()
    clock.advance(1_000)
    const late = follow(TENANT_WORK)
    clock.advance(29_999)
    await settled()
    expect(late).toEqual({})
    clock.advance(1)
    await settled()
    expect(late).toMatchObject({ code: '53300', retryAfter: 5 })
    expect(worker.withdraw(1)).toBe(false)
    expect(queue.queued).toBe(2)
    worker.answer()
    worker.answer()
    expect(queue.queued).toBe(0)
  })

  it('is refused job by job, each at its own time limit', async () => {
    follow({ ...TENANT_WORK, mayKeepOthersWaiting: true })
    worker.begin()
    const waiting = [follow(TENANT_WORK)]
    for (let each = 0; each < 6; each++) {
      clock.advance(1_000)
      waiting.push(follow(PLATFORM_WORK))
    }
    clock.advance(26_500)
    await settled()
    expect(waiting.map(({ code }) => code)).toEqual([
      '53300',
      '53300',
      '53300',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('begins in order when the work before it ends in time', async () => {
    const first = follow(TENANT_WORK)
    const second = follow(TENANT_WORK)
    worker.begin()
    clock.advance(5_000)
    worker.answer()
    worker.begin()
    clock.advance(29_000)
    worker.answer()
    await settled()
    expect([first, second]).toEqual([{ isDone: true }, { isDone: true }])
  })

  it('is refused while the engine restarts for longer than the time limit', async () => {
    worker.start = () => new Promise(() => {})
    worker.die('killed')
    const waiting = follow(TENANT_WORK)
    clock.advance(30_000)
    await settled()
    expect(waiting).toMatchObject({ code: '53300' })
  })
})

describe('work that waits for an advisory lock', () => {
  const UNBOUNDED: Job = { request: TENANT_WORK.request }
  const LONG: Job = { ...UNBOUNDED, mayKeepOthersWaiting: true }

  /** Submits a job that waits for a lock. Other work is running when the lock is granted 40 s later. */
  function grantedBehindOthers(job: Job) {
    const waiting = follow(job)
    worker.begin()
    worker.park(7)
    clock.advance(40_000)
    follow(LONG)
    worker.begin()
    worker.grant(7)
    return waiting
  }

  it('lets the engine run other work', async () => {
    const waiting = follow(UNBOUNDED)
    worker.begin()
    worker.park(7)
    const other = follow(TENANT_WORK)
    worker.begin()
    worker.answer()
    clock.advance(100_000)
    await settled()
    expect([waiting, other]).toEqual([{}, { isDone: true }])
  })

  it('is sent again after the lock is granted, however long the work has waited', async () => {
    const waiting = grantedBehindOthers(UNBOUNDED)
    clock.advance(100_000)
    await settled()
    expect(waiting).toEqual({})
    worker.answer()
    expect(worker.posted).toMatchObject([{ kind: 'run', resumes: { ticket: 7 } }])
    worker.begin()
    worker.answer()
    await settled()
    expect(waiting).toEqual({ isDone: true })
  })

  it('is sent again when it is aborted after the grant, so that the worker releases the lock', async () => {
    const impatient = new AbortController()
    const waiting = grantedBehindOthers({ ...UNBOUNDED, signal: impatient.signal })
    impatient.abort()
    worker.answer()
    expect(worker.posted).toMatchObject([{ resumes: { ticket: 7 } }])
    expect(worker.cancelled).toEqual([3])
    worker.answer()
    await settled()
    expect(waiting).toEqual({ isDone: true })
  })

  it('is sent again with the error when it is aborted while it waits', () => {
    const impatient = new AbortController()
    follow({ ...UNBOUNDED, signal: impatient.signal })
    worker.begin()
    worker.park(7)
    impatient.abort()
    expect(worker.posted).toMatchObject([{ resumes: { ticket: 7, end: { sqlState: '57014' } } }])
  })

  it('fails when the engine dies, before and after the grant', async () => {
    const parked = follow(UNBOUNDED)
    worker.begin()
    worker.park(6)
    const granted = grantedBehindOthers(UNBOUNDED)
    worker.die('killed')
    await settled()
    expect([parked, granted]).toMatchObject([{ code: '57P02' }, { code: '57P02' }])
    expect(queue.queued).toBe(0)
  })

  it('fails when the engine is closed', async () => {
    const parked = follow(UNBOUNDED)
    worker.begin()
    worker.park(7)
    const running = follow(UNBOUNDED)
    worker.begin()
    const closed = queue.close()
    worker.park(8)
    await closed
    expect([parked, running]).toMatchObject([{ code: '57P02' }, { code: '57P02' }])
  })
})

describe('an engine that does not start again', () => {
  it('fails queued and new work, also of the platform, and names the time of the next attempt', async () => {
    const begun = follow(TENANT_WORK)
    worker.begin()
    const queued = follow(PLATFORM_WORK)
    worker.problem = 'too many open files'
    worker.die('too many open files')
    await settled()
    const later = follow(PLATFORM_WORK)
    await settled()
    expect(begun).toMatchObject({ code: '57P02' })
    expect(queued).toMatchObject({ code: '57P03', message: 'too many open files', retryAfter: 1 })
    expect(later).toMatchObject({ code: '57P03', retryAfter: 1 })
    expect(queue.down).toBe('too many open files')
  })

  it('is started again after 1, 2, 5, 10 and then every 30 seconds', async () => {
    worker.problem = 'no room'
    worker.die('no room')
    await settled()
    const waits: number[] = []
    for (const seconds of [1, 2, 5, 10, 30, 30]) {
      const before = worker.starts
      clock.advance(seconds * 1_000 - 1)
      await settled()
      expect(worker.starts).toBe(before)
      clock.advance(1)
      await settled()
      waits.push(worker.starts - before)
    }
    expect(waits).toEqual([1, 1, 1, 1, 1, 1])
    expect(worker.observed.map(({ kind }) => kind)).toEqual(Array(7).fill('engineDown'))
  })

  it('accepts work again after a start succeeds', async () => {
    worker.problem = 'no room'
    worker.die('no room')
    await settled()
    worker.problem = undefined
    clock.advance(1_000)
    await settled()
    const work = follow(TENANT_WORK)
    worker.begin()
    worker.answer()
    await settled()
    expect(work).toEqual({ isDone: true })
    expect([queue.restarts, queue.down]).toEqual([1, undefined])
  })

  it('can be closed', async () => {
    worker.problem = 'no room'
    worker.die('no room')
    await settled()
    await queue.close()
    const { starts } = worker
    clock.advance(60_000)
    await settled()
    expect([worker.isClosed, worker.starts]).toEqual([true, starts])
    const late = follow(TENANT_WORK)
    await settled()
    expect(late).toMatchObject({ code: '57P02', message: 'the database is closed' })
  })
})
