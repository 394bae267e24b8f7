// Computes the window's position: the stored position, or a new one when its display is gone. Pure.
import type { Bounds } from './electron-port.ts'

export const MINIMUM_SIZE = { width: 900, height: 600 } as const
const USUAL_SIZE = { width: 1_360, height: 880 } as const
/** Pixels of the title bar that must be visible on a display. */
const REACH = 80

/**
 * Returns the stored bounds when enough of the title bar is visible on a display. Otherwise centres the window on the main
 * display.
 */
export function placeWindow(
  remembered: Bounds | undefined,
  displays: readonly Bounds[],
): Bounds | undefined {
  if (remembered !== undefined && displays.some((display) => canReach(remembered, display)))
    return {
      ...remembered,
      width: Math.max(remembered.width, MINIMUM_SIZE.width),
      height: Math.max(remembered.height, MINIMUM_SIZE.height),
    }
  const main = displays[0]
  return main && centre(main)
}

function canReach(window: Bounds, display: Bounds): boolean {
  const left = Math.max(window.x, display.x)
  const right = Math.min(window.x + window.width, display.x + display.width)
  const isTopInside = window.y >= display.y && window.y < display.y + display.height - REACH / 2
  return right - left >= REACH && isTopInside
}

function centre(display: Bounds): Bounds {
  const width = Math.min(USUAL_SIZE.width, display.width)
  const height = Math.min(USUAL_SIZE.height, display.height)
  return {
    x: display.x + Math.round((display.width - width) / 2),
    y: display.y + Math.round((display.height - height) / 2),
    width,
    height,
  }
}
