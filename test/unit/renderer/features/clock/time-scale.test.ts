// Positions on the timeline of the clock screen.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  HORIZON_MILLIS,
  millisAt,
  POSITIONS,
  positionOf,
  TICKS,
} from '../../../../../renderer/features/clock/time-scale.ts'

describe('the time scale', () => {
  it('begins at the current time and ends at the horizon', () => {
    expect([millisAt(0), millisAt(POSITIONS)]).toEqual([0, HORIZON_MILLIS])
    expect([positionOf(-1), positionOf(2 * HORIZON_MILLIS)]).toEqual([0, POSITIONS])
  })

  it('rises with every step of the slider', () => {
    for (let position = 0; position < POSITIONS; position += 5)
      expect(millisAt(position + 5)).toBeGreaterThan(millisAt(position))
  })

  it('converts a duration to a position and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: HORIZON_MILLIS }), (millis) => {
        expect(Math.abs(millisAt(positionOf(millis)) - millis)).toBeLessThanOrEqual(1_800_000)
      }),
    )
  })

  it('keeps more than 50 positions between two ticks', () => {
    const places = TICKS.map(([, millis]) => positionOf(millis))
    for (const [at, place] of places.entries())
      if (at > 0) expect(place - (places[at - 1] ?? 0)).toBeGreaterThan(50)
  })
})
