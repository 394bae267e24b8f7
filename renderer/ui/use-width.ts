// Measures the width of an element, at first and after each change of its size.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns the width in px, without padding. Returns `undefined` in the first rendering. */
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
