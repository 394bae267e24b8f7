import { describe, expect, it } from 'vitest'
import { placeWindow } from '../../../main/window-bounds.ts'

const DISPLAY = { x: 0, y: 0, width: 1_920, height: 1_080 }
const SECOND = { x: 1_920, y: 0, width: 1_280, height: 1_024 }

describe('placeWindow', () => {
  it('opens where the window was', () => {
    const remembered = { x: 2_000, y: 40, width: 1_000, height: 700 }

    expect(placeWindow(remembered, [DISPLAY, SECOND])).toEqual(remembered)
  })

  it.each([
    ['its display is gone', { x: 2_000, y: 40, width: 1_000, height: 700 }],
    ['its title bar is below the display', { x: 100, y: 1_060, width: 1_000, height: 700 }],
    ['its title bar is above the display', { x: 100, y: -30, width: 1_000, height: 700 }],
    ['almost all of it is left of the display', { x: -950, y: 10, width: 1_000, height: 700 }],
  ])('opens in the middle of the main display when %s', (_why, remembered) => {
    expect(placeWindow(remembered, [DISPLAY])).toEqual({
      x: 280,
      y: 100,
      width: 1_360,
      height: 880,
    })
  })

  it('fits into a small display', () => {
    expect(placeWindow(undefined, [{ x: 0, y: 25, width: 1_024, height: 700 }])).toEqual({
      x: 0,
      y: 25,
      width: 1_024,
      height: 700,
    })
  })
})
