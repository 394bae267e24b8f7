import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cropOf } from '../../../../emulator/services/storage/image/render-picture.ts'
import { GRAVITIES } from '../../../../emulator/services/storage/image/transformation.ts'

const side = fc.integer({ min: 1, max: 5_000 })
const size = fc.record({ width: side, height: side })
const offset = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
)

describe('a crop', () => {
  it('lies within the scaled picture and is never larger than requested', () =>
    fc.assert(
      fc.property(
        size,
        size,
        fc.record({ gravity: fc.constantFrom(...GRAVITIES), x_offset: offset, y_offset: offset }),
        (source, wanted, placement) => {
          const { scaled, crop } = cropOf(source, wanted, placement)
          for (const value of Object.values(crop)) expect(Number.isInteger(value)).toBe(true)
          expect(Math.min(crop.left, crop.top)).toBeGreaterThanOrEqual(0)
          expect(crop.left + crop.width).toBeLessThanOrEqual(scaled.width)
          expect(crop.top + crop.height).toBeLessThanOrEqual(scaled.height)
          expect(crop.width).toBe(Math.min(wanted.width, scaled.width))
          expect(crop.height).toBe(Math.min(wanted.height, scaled.height))
          expect(scaled.width).toBeLessThanOrEqual(source.width)
        },
      ),
      { numRuns: 500 },
    ))

  // imgproxy rounds a half to the even neighbour.
  it.each([
    [{ gravity: 'ce' }, 150],
    [{ gravity: 'ce', x_offset: 10 }, 160],
    [{ gravity: 'we', x_offset: 0.1 }, 40],
    [{ gravity: 'ea', x_offset: 0.1 }, 260],
    [{ gravity: 'ea', x_offset: -5 }, 300],
    [{ gravity: 'fp', x_offset: 0.5, y_offset: 0.5 }, 150],
    [{ gravity: 'fp', x_offset: 1, y_offset: 0.5 }, 300],
  ] as const)('at %j begins at %i pixels', (placement, left) => {
    const { crop } = cropOf({ width: 800, height: 200 }, { width: 100, height: 100 }, placement)
    expect(crop).toEqual({ width: 100, height: 100, left, top: 0 })
  })
})
