// The visible part of the schema map. The zoom determines the size of the map, and a container scrolls it. Therefore wheel,
// touch, scroll bars and keys move the map like any other content.
import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLatest } from '../../ui/use-latest.ts'
import type { MapLayout } from './map-layout.ts'

export interface Viewport {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly zoom: number
  /** Whether the zoom at which the whole map is visible has been computed. */
  readonly isMeasured: boolean
  /** Multiplies the zoom. The middle of the visible part stays in place. */
  readonly zoomBy: (factor: number) => void
  /** Chooses the zoom at which the whole map is visible. */
  readonly showWhole: () => void
  /** Scrolls until the box is visible. */
  readonly reveal: (box: Box) => void
  /** Starts to move the map with the pointer. */
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const ZOOM = { least: 0.1, most: 2 }
/** A movement of the pointer by at most this number of px is a click. */
const CLICK = 4

export function useViewport(layout: MapLayout | undefined): Viewport {
  const scroller = useRef<HTMLDivElement>(null)
  const [chosen, setZoom] = useState<number>()
  const zoom = chosen ?? 1
  // The point of the drawing that must stay at the same place of the container when the zoom changes.
  const anchor = useRef<{ readonly at: Spot; readonly spot: Spot }>(undefined)
  const zoomTo = (next: number, at: Spot | undefined) => {
    const element = scroller.current
    if (element === null) return
    const center = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 }
    anchor.current = {
      at: center,
      spot: {
        x: (element.scrollLeft + center.x) / zoom,
        y: (element.scrollTop + center.y) / zoom,
      },
    }
    setZoom(Math.min(ZOOM.most, Math.max(ZOOM.least, next)))
  }
  const showWhole = () => {
    const element = scroller.current
    if (element === null || layout === undefined || layout.width === 0) return
    anchor.current = undefined
    const whole = Math.min(element.clientWidth / layout.width, element.clientHeight / layout.height)
    setZoom(Math.min(1, Math.max(ZOOM.least, whole)))
  }
  const latest = useLatest({ zoomTo, showWhole, zoomNow: () => zoom })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new layout is shown as a whole
  useLayoutEffect(latest.showWhole, [layout, latest])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || anchor.current === undefined) return
    const { at, spot } = anchor.current
    element.scrollLeft = spot.x * zoom - at.x
    element.scrollTop = spot.y * zoom - at.y
  }, [zoom])
  useWheelZoom(scroller, layout !== undefined, latest)
  return {
    scroller,
    zoom,
    isMeasured: chosen !== undefined,
    zoomBy: (factor) => zoomTo(zoom * factor, undefined),
    showWhole,
    reveal: (box) => reveal(scroller.current, box, zoom),
    onPointerDown: (event) => startDrag(scroller.current, event),
  }
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** Zooms with Ctrl and the wheel. Browsers report a pinch on a touch pad in the same way. */
function useWheelZoom(
  scroller: RefObject<HTMLDivElement | null>,
  isReady: boolean,
  latest: {
    readonly zoomTo: (next: number, at: Spot | undefined) => void
    readonly zoomNow: () => number
  },
): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null || !isReady) return
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = element.getBoundingClientRect()
      const at = { x: event.clientX - left, y: event.clientY - top }
      latest.zoomTo(latest.zoomNow() * 0.998 ** event.deltaY, at)
    }
    // React adds passive listeners, which cannot prevent the zoom of the whole page.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [scroller, isReady, latest])
}

function reveal(element: HTMLDivElement | null, box: Box, zoom: number): void {
  if (element === null) return
  const middle = { x: (box.x + box.width / 2) * zoom, y: (box.y + box.height / 2) * zoom }
  const half = { x: (box.width / 2) * zoom, y: (box.height / 2) * zoom }
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
  const isVisible =
    middle.x - half.x >= scrollLeft &&
    middle.x + half.x <= scrollLeft + clientWidth &&
    middle.y - half.y >= scrollTop &&
    middle.y + half.y <= scrollTop + clientHeight
  if (!isVisible)
    element.scrollTo({ left: middle.x - clientWidth / 2, top: middle.y - clientHeight / 2 })
}

function startDrag(element: HTMLDivElement | null, event: PointerEvent<HTMLElement>): void {
  // The browser itself scrolls the map on touch.
  if (element === null || event.button !== 0 || event.pointerType === 'touch') return
  const start = { x: event.clientX, y: event.clientY }
  const before = { left: element.scrollLeft, top: element.scrollTop }
  let isDragging = false
  const move = (moved: globalThis.PointerEvent) => {
    const far = Math.hypot(moved.clientX - start.x, moved.clientY - start.y) > CLICK
    if (!isDragging && !far) return
    // With the capture, the click after a drag goes to the container and opens no table.
    if (!isDragging) element.setPointerCapture(event.pointerId)
    isDragging = true
    element.scrollLeft = before.left + start.x - moved.clientX
    element.scrollTop = before.top + start.y - moved.clientY
  }
  const end = () => {
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', end)
    window.removeEventListener('pointercancel', end)
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', end)
  window.addEventListener('pointercancel', end)
}
