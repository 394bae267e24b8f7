import { describe, expect, it } from 'vitest'
import { onSteps, timelineOf } from '../../../../../renderer/parts/requests/timeline.ts'
import { slowestWords } from '../../../../../renderer/parts/requests/timeline-words.ts'
import { entryWith } from '../../features/requests/journal-entry.ts'

const START = 1_700_000_000_000
let sequence = 0

/** A request that arrived `seconds` after the start. */
function at(seconds: number, members: Parameters<typeof entryWith>[0] = {}) {
  sequence += 1
  const arrived = new Date(START + seconds * 1_000).toISOString()
  return entryWith({ sequence, arrived_at: arrived, received_at: arrived, ...members })
}

const newestFirst = (entries: ReturnType<typeof at>[]) => entries.toReversed()

describe('timelineOf', () => {
  it('counts requests and refusals of each step', () => {
    const timeline = timelineOf(
      newestFirst([
        at(0),
        at(0.5, { status: 403, error_code: '42501' }),
        at(30, { status: 201 }),
        at(60, { status: 401, error_code: 'unauthorized' }),
        at(60.1, { status: 401, error_code: 'unauthorized' }),
      ]),
      undefined,
      undefined,
    )
    expect(timeline).toMatchObject({ from: START, stepMillis: 1_000, total: 5, refused: 3 })
    expect(timeline?.steps).toHaveLength(61)
    expect(timeline?.steps[0]).toMatchObject({ total: 2, refused: 1 })
    expect(timeline?.steps[1]).toMatchObject({ total: 0, p50: undefined })
    expect(timeline?.lanes.map(({ code, total, counts }) => [code, total, counts[60]])).toEqual([
      ['unauthorized', 2, 2],
      ['42501', 1, 0],
    ])
  })

  it('computes median and 95th percentile by nearest rank', () => {
    const entries = Array.from({ length: 20 }, (_, place) => at(0, { duration_ms: place + 1 }))
    const timeline = timelineOf(newestFirst(entries), undefined, undefined)
    expect(timeline).toMatchObject({ p50: 10, p95: 19, slowest: 20 })
    expect(slowestWords({ slowest: timeline?.slowest })).toBe('20 ms')
    expect(timeline?.steps[0]).toMatchObject({ p50: 10, p95: 19 })
  })

  it('starts after the last long pause, unless a longer span is requested', () => {
    const entries = newestFirst([at(-90_000), at(0), at(60)])
    expect(timelineOf(entries, undefined, undefined)).toMatchObject({ from: START, total: 2 })
    expect(timelineOf(entries, Number.POSITIVE_INFINITY, undefined)?.total).toBe(3)
    expect(timelineOf(entries, 30_000, undefined)?.total).toBe(1)
  })

  it('contains the selection, although the newest requests came later', () => {
    const brush = { from: START - 100_000, to: START - 50_000 }
    const timeline = timelineOf([at(60)], undefined, brush)
    expect(timeline?.from).toBeLessThanOrEqual(brush.from)
    expect(timeline?.to).toBeGreaterThan(START + 60_000)
  })

  it('puts rare codes in one lane', () => {
    const entries = 'abcdef'.split('').map((code) => at(0, { status: 400, error_code: code }))
    const lanes = timelineOf(newestFirst(entries), undefined, undefined)?.lanes
    expect(lanes?.map(({ code, total }) => [code, total])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
      [undefined, 2],
    ])
  })

  it('notices a moved platform clock', () => {
    const moved = at(0, { received_at: '2031-01-01T00:00:00.000Z' })
    expect(timelineOf([moved], undefined, undefined)?.isClockMoved).toBe(true)
    expect(timelineOf([at(0)], undefined, undefined)?.isClockMoved).toBe(false)
  })
})

describe('onSteps', () => {
  const timeline = timelineOf(newestFirst([at(0), at(60)]), undefined, undefined)

  it('extends a span to whole steps within the timeline, in either direction', () => {
    if (timeline === undefined) throw new Error('no timeline')
    const span = { from: START + 2_000, to: START + 5_000 }
    expect(onSteps(timeline, START + 2_400, START + 4_100)).toEqual(span)
    expect(onSteps(timeline, START + 4_100, START + 2_400)).toEqual(span)
    expect(onSteps(timeline, START - 9_000, START + 500)).toEqual({
      from: START,
      to: START + 1_000,
    })
    expect(onSteps(timeline, START + 3_000, START + 3_000)).toEqual({
      from: START + 3_000,
      to: START + 4_000,
    })
  })
})
