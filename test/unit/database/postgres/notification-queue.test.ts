// Which session the engine ends when notifications fill the server's queue.
import { describe, expect, it } from 'vitest'
import {
  NotificationQueue,
  type QueueSession,
} from '../../../../emulator/database/postgres/changes/notification-queue.ts'

const session = (
  database: string,
  processId: number,
  heldSeconds?: number,
  isNotifying = false,
): QueueSession => ({ database, processId, heldSeconds, isNotifying })

/** Checks the same sessions this many times. Returns the processes that are ended. */
function ended(looks: number, ...sessions: readonly QueueSession[]): readonly number[] {
  const queue = new NotificationQueue({ prefix: '', onEnded: () => {} })
  return Array.from({ length: looks }, () => queue.holderOf(sessions)?.processId).filter(
    (processId) => processId !== undefined,
  )
}

const DUMP = session('proj_b', 1, 600)

describe('the session that is ended when the notification queue is crowded', () => {
  it('belongs at once to the project that notifies, although another project has an older session', () => {
    expect(ended(1, DUMP, session('proj_a', 2, 5), session('proj_a', 3, undefined, true))).toEqual([
      2,
    ])
  })

  it('is the oldest session of the project that notifies', () => {
    expect(ended(1, session('proj_a', 2, 5, true), session('proj_a', 3, 9))).toEqual([3])
  })

  it('is the oldest session of all projects when no project notifies for a second', () => {
    expect(ended(20, DUMP, session('proj_a', 2, 5))).toEqual([])
    expect(ended(21, DUMP, session('proj_a', 2, 5))).toEqual([1])
  })

  it('is chosen again only after a second, so that the session has time to end', () => {
    expect(ended(21, DUMP, session('proj_a', 2, 5, true))).toEqual([2])
    expect(ended(22, DUMP, session('proj_a', 2, 5, true))).toEqual([2, 2])
  })

  it('is never a session outside of a transaction', () => {
    expect(ended(100, session('proj_a', 2, undefined, true))).toEqual([])
  })

  it('is chosen without the earlier counts once the queue is no longer crowded', async () => {
    const queue = new NotificationQueue({ prefix: '', onEnded: () => {} })
    expect(queue.holderOf([session('proj_a', 2, 5, true)])?.processId).toBe(2)
    await queue.check(0, () => Promise.reject(new Error('the queue is not crowded')))
    expect(queue.holderOf([session('proj_a', 3, 5)])).toBeUndefined()
    expect(queue.holderOf([session('proj_a', 3, 5, true)])?.processId).toBe(3)
  })
})
