// The data of the event stream that the inspector's pages keep.
import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../../../emulator/contract/events.ts'
import {
  applyEvents,
  EMPTY_SNAPSHOT,
  keepLatest,
  LIVE_LIMITS,
} from '../../../../renderer/api/live-buffer.ts'

const request = (sequence: number): LiveEvent =>
  ({ kind: 'request', entry: { sequence } }) as unknown as LiveEvent
const hello = (bootId: string): LiveEvent => ({
  kind: 'hello',
  boot_id: bootId,
  version: '1',
  events: 7,
})
const requests = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => request(from + index))

describe('the live buffer', () => {
  it('keeps requests in the order of their arrival', () => {
    const { requests: kept } = applyEvents(EMPTY_SNAPSHOT, requests(3), 0)
    expect(kept.map(({ sequence }) => sequence)).toEqual([0, 1, 2])
  })

  it('drops the oldest requests above its limit', () => {
    const full = applyEvents(EMPTY_SNAPSHOT, requests(LIVE_LIMITS.requests), 0)
    const { requests: kept } = applyEvents(full, requests(5, LIVE_LIMITS.requests), 0)
    expect([kept.length, kept[0]?.sequence]).toEqual([LIVE_LIMITS.requests, 5])
  })

  it('returns the same lists when nothing was added', () => {
    const before = applyEvents(EMPTY_SNAPSHOT, requests(2), 0)
    expect(applyEvents(before, [{ kind: 'faults', armed: 2 }], 0).requests).toBe(before.requests)
  })

  it('starts empty when the emulator was restarted', () => {
    const before = applyEvents(EMPTY_SNAPSHOT, [hello('a'), ...requests(2)], 0)
    const after = applyEvents(before, [hello('b'), request(0)], 0)
    expect([after.requests.length, after.lost, after.bootId]).toEqual([1, 2, 'b'])
  })

  it('keeps its entries when the same emulator sends hello again', () => {
    const before = applyEvents(EMPTY_SNAPSHOT, [hello('a'), ...requests(2)], 0)
    const after = applyEvents({ ...before, connection: 'reconnecting' }, [hello('a')], 0)
    expect([after.requests.length, after.lost, after.connection]).toEqual([2, 1, 'live'])
  })

  it('counts the first hello as a gap, because a screen may have loaded data earlier', () => {
    expect(applyEvents(EMPTY_SNAPSHOT, [hello('a')], 0).lost).toBe(1)
  })

  it('counts no gap when no event happened between the page’s first response and hello', () => {
    expect(applyEvents(EMPTY_SNAPSHOT, [hello('a')], 0, 7).lost).toBe(0)
    expect(applyEvents(EMPTY_SNAPSHOT, [hello('a')], 0, 6).lost).toBe(1)
  })

  it('counts gap events', () => {
    expect(applyEvents(EMPTY_SNAPSHOT, [{ kind: 'gap' }, { kind: 'gap' }], 0).lost).toBe(2)
  })

  it('records when it received the clock’s time', () => {
    const clock = {
      now: '2026-11-21T00:00:00.000Z',
      frozen: true,
      offset_ms: 0,
      moves_sql_time: true,
    }
    expect(applyEvents(EMPTY_SNAPSHOT, [{ kind: 'clock', clock }], 77).clock).toEqual({
      state: clock,
      readAt: 77,
    })
  })
})

describe('keepLatest', () => {
  it('returns the same list when nothing arrived', () => {
    const kept = [1]
    expect(keepLatest(kept, [], 3)).toBe(kept)
  })

  it('keeps the newest entries when more arrive at once than the list may hold', () => {
    expect(keepLatest([1], [2, 3, 4, 5], 3)).toEqual([3, 4, 5])
  })
})
