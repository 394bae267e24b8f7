import { describe, expect, it } from 'vitest'
import { layOutFanOut } from '../../../../../renderer/features/realtime/fan-out/fan-out-layout.ts'
import { fanOutOf } from '../../../../../renderer/features/realtime/fan-out/fan-out-model.ts'
import { tallyOf } from '../../../../../renderer/parts/change-verdicts.ts'
import { verdictWith } from './verdict.ts'

describe('fanOutOf', () => {
  it('groups channels of one identity and outcome, and shows the slowest delivery', () => {
    const { lanes } = fanOutOf([
      verdictWith({ topic: 'realtime:a', latency_ms: 2 }),
      verdictWith({ topic: 'realtime:b', latency_ms: 9 }),
      verdictWith({ topic: 'realtime:c', verdict: 'filtered', latency_ms: null }),
    ])
    expect(
      lanes.map(({ topics, verdict, latencyMillis }) => [topics, verdict, latencyMillis]),
    ).toEqual([
      [['realtime:a', 'realtime:b'], 'delivered', 9],
      [['realtime:c'], 'filtered', null],
    ])
  })

  it('puts the fastest delivery first and subscribers without a delivery last', () => {
    const { lanes } = fanOutOf([
      verdictWith({ subject: 'c', verdict: 'hidden', latency_ms: null }),
      verdictWith({ subject: 'b', latency_ms: 8 }),
      verdictWith({ subject: 'a', latency_ms: 1 }),
    ])
    expect(lanes.map(({ subject }) => subject)).toEqual(['a', 'b', 'c'])
  })

  it('counts the lanes above the limit by verdict', () => {
    const verdicts = Array.from({ length: 5 }, (_, at) =>
      verdictWith({
        subject: `u${at}`,
        verdict: at < 2 ? 'delivered' : 'hidden',
        latency_ms: null,
      }),
    )
    const { lanes, rest, subscribers } = fanOutOf(verdicts, 3)
    expect([lanes.length, rest, subscribers]).toEqual([3, [{ verdict: 'hidden', count: 2 }], 5])
  })
})

describe('layOutFanOut', () => {
  const { lanes } = fanOutOf([
    verdictWith({ subject: 'a' }),
    verdictWith({ subject: 'b', verdict: 'hidden', latency_ms: null }),
    verdictWith({ subject: 'c', verdict: 'filtered', latency_ms: null }),
  ])

  it('places lanes on both sides of the change without overlap', () => {
    const { places, center, width, height } = layOutFanOut(lanes, 1_000)
    expect(places.map(({ side }) => side).sort()).toEqual(['left', 'right', 'right'])
    for (const { side, box } of places) {
      if (side === 'left') expect(box.left + box.width).toBeLessThan(center.left)
      else expect(box.left).toBeGreaterThan(center.left + center.width)
      expect(box.left).toBeGreaterThanOrEqual(0)
      expect(box.left + box.width).toBeLessThanOrEqual(width)
      expect(box.top + box.height).toBeLessThanOrEqual(height)
    }
  })

  it('places all lanes on the right when there is little room', () => {
    expect(layOutFanOut(lanes, 500).places.every(({ side }) => side === 'right')).toBe(true)
  })

  it('ends a line at the lane only when the change was delivered', () => {
    const { places } = layOutFanOut(lanes, 500)
    const arrives = places.map(({ lane, end, box }) => [lane.verdict, end.x === box.left])
    expect(arrives).toEqual([
      ['delivered', true],
      ['hidden', false],
      ['filtered', false],
    ])
  })
})

describe('tallyOf', () => {
  it('counts by verdict, delivered first', () => {
    expect(tallyOf([verdictWith({ verdict: 'hidden' }), verdictWith(), verdictWith()])).toEqual([
      { verdict: 'delivered', count: 2 },
      { verdict: 'hidden', count: 1 },
    ])
  })
})
