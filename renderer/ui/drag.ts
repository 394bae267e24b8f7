// Handlers for an edge that resizes a sheet, a pane or a column. The user drags the edge or uses arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'

export interface EdgeDrag {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** `size` is in px. `sign` is -1 when dragging to the left or upwards increases the size. */
export function edgeDrag(
  axis: 'x' | 'y',
  size: () => number,
  resize: (size: number) => void,
  sign: 1 | -1 = 1,
): EdgeDrag {
  const [less, more] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.stopPropagation()
      const handle = event.currentTarget
      const from = axis === 'x' ? event.clientX : event.clientY
      const before = size()
      handle.setPointerCapture(event.pointerId)
      const move = (moved: globalThis.PointerEvent) =>
        resize(before + sign * ((axis === 'x' ? moved.clientX : moved.clientY) - from))
      const end = () => {
        handle.removeEventListener('pointermove', move)
        handle.removeEventListener('pointerup', end)
        handle.removeEventListener('pointercancel', end)
      }
      handle.addEventListener('pointermove', move)
      handle.addEventListener('pointerup', end)
      handle.addEventListener('pointercancel', end)
    },
    onKeyDown: (event) => {
      if (event.key !== less && event.key !== more) return
      event.preventDefault()
      event.stopPropagation()
      resize(size() + sign * (event.key === more ? 16 : -16))
    },
  }
}
