// The width of an element while it changes.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** In px, without padding; `undefined` in the first rendering. */
export function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
